/** The most expensive request of each operation without a token. */

import type { Routes } from '../../shared/api/all-routes.ts';
import type { pages } from '../../shared/api/non-api-routes.ts';
import { maxLimit } from '../../shared/api/schemas/query.ts';
import { maxChecked, maxWithHashes } from '../../shared/domain/packages/check-limits.ts';
import {
  commented,
  docker,
  fullest,
  npm,
  pypi,
  toImageDigest,
  vulnerability,
} from './worst-data.ts';

/** The operations without a token. */
type PublicRoute = {
  [K in keyof Routes]: Routes[K] extends { readonly scope: string } ? never : K;
}[keyof Routes];
export type Public = PublicRoute | keyof typeof pages;

/** A request with its status; a refused request may have read data before the refusal. */
export interface Asked {
  readonly what: string;
  readonly path?: Readonly<Record<string, string>>;
  readonly query?: Readonly<Record<string, string>>;
  readonly body?: object;
  readonly status: number;
}

/** The operation has no access to tables. */
export const readsNothing = 'reads nothing';
const all = String(maxLimit);
const selected = { name: npm.name, ecosystem: npm.ecosystem };
const byName = { path: { name: npm.name } };
const bySelected = { ...byName, query: { ecosystem: npm.ecosystem, version: fullest.version } };
const versions = Array.from({ length: maxChecked }, (_, at) => `1.${at}.0`);
const listHashed = (name: string, count: number) =>
  versions.slice(0, count).map((version) => ({
    ...{ ecosystem: npm.ecosystem, name, version },
    hashes: [`sha512:${'05'.repeat(64)}`],
  }));
const listTags = (count: number) =>
  versions.slice(0, count).map((version) => ({ ...docker, version }));
/** A license expression with many licenses. */
const expression = ['MIT', ...Array.from({ length: 12 }, (_, at) => `LicenseRef-${at}`)].join(
  ' OR ',
);
/** A review of images by their tags, of which some were never submitted. */
const review = (count: number, digestOf?: (at: number) => string) => ({
  ...{ apiVersion: 'admission.k8s.io/v1', kind: 'AdmissionReview' },
  request: {
    uid: 'u-1',
    object: {
      kind: 'Pod',
      spec: {
        containers: Array.from({ length: count }, (_, at) => ({
          image: [
            `${docker.name}:${at % 6 === 5 ? 'never' : '1'}.${at}.0`,
            ...(digestOf ? [digestOf(at)] : []),
          ].join('@'),
        })),
      },
    },
  },
});

/** The most expensive requests of each operation without a token, on the worst data. A missing operation does not compile. */
export const dearest: Readonly<Record<Public, readonly Asked[] | typeof readsNothing>> = {
  showService: [{ what: 'the service, which is not frozen', status: 200 }],
  showOpenapi: readsNothing,
  showDocs: readsNothing,
  showConsole: readsNothing,
  showConsoleFile: readsNothing,
  showCommandLine: readsNothing,
  showPolicy: [{ what: 'the rules', status: 200 }],
  listPackages: [
    { what: 'a page', query: { limit: all }, status: 200 },
    {
      what: 'a deep page of a status',
      query: { limit: all, offset: '500', status: 'approved' },
      status: 200,
    },
    { what: 'a full page', query: { limit: all, view: 'full' }, status: 200 },
  ],
  showAttestation: [{ what: 'of a version with very many files', ...bySelected, status: 200 }],
  showKeys: readsNothing,
  showPackage: [
    { what: 'one version', ...bySelected, status: 200 },
    {
      what: 'another name in the same place',
      path: { name: 'B_a.d' },
      query: { ecosystem: 'npm' },
      status: 404,
    },
    { what: 'a status that none has', ...byName, query: { status: 'pending' }, status: 404 },
  ],
  listVersions: [
    { what: 'a page', ...byName, query: { limit: '300', ecosystem: 'npm' }, status: 200 },
    { what: 'a deep page', ...byName, query: { limit: '100', offset: '350' }, status: 400 },
    { what: 'the oldest versions', ...byName, query: { offset: '1000' }, status: 200 },
    { what: 'a status', ...byName, query: { status: 'approved' }, status: 400 },
    { what: 'beyond the end', ...byName, query: { limit: '1', offset: '999999999' }, status: 200 },
  ],
  listHistory: [
    { what: 'the default page', ...byName, query: { limit: '100' }, status: 200 },
    { what: 'a long page', ...byName, query: { limit: all }, status: 400 },
  ],
  listExpirations: [{ what: 'a page', query: { limit: all }, status: 200 }],
  listEvents: [
    { what: 'a page', query: { limit: all }, status: 200 },
    { what: 'the last ones', query: { last: all, limit: all }, status: 200 },
  ],
  showStatistics: [{ what: 'a year', query: { days: '366' }, status: 200 }],
  showEvidence: [
    { what: 'of a version with ten scanners', ...bySelected, status: 200 },
    {
      what: 'of a version with very many comments',
      path: { name: commented.name },
      query: { ecosystem: commented.ecosystem, version: commented.version },
      status: 200,
    },
  ],
  showChanges: [
    { what: 'of a version with ten scanners', ...bySelected, status: 200 },
    {
      what: 'since another version',
      ...byName,
      query: { ...bySelected.query, since: fullest.version },
      status: 200,
    },
  ],
  listDependencies: [{ what: 'of a version with ten scanners', ...bySelected, status: 200 }],
  showScan: [
    { what: 'of ten scanners', ...bySelected, status: 200 },
    { what: 'one scan', ...bySelected, query: { ...bySelected.query, number: '1' }, status: 200 },
  ],
  listScans: [
    { what: 'all scans', ...bySelected, query: { ...bySelected.query, limit: all }, status: 200 },
  ],
  listReviews: [{ what: 'a batch', query: { batch: 'bad', status: 'all' }, status: 200 }],
  summarizeReviews: [{ what: 'a batch', query: { batch: 'bad' }, status: 200 }],
  listBatches: [{ what: 'a page', query: { limit: all }, status: 200 }],
  listAttention: [{ what: 'a page', query: { limit: all }, status: 200 }],
  listHeldRecalls: [{ what: 'a page', query: { limit: all }, status: 200 }],
  listRecalls: [{ what: 'a page', query: { limit: all }, status: 200 }],
  listVulnerabilities: [{ what: 'a page', query: { limit: all }, status: 200 }],
  showVulnerability: [
    { what: 'its versions', path: { id: vulnerability }, query: { limit: all }, status: 200 },
  ],
  checkPackages: [
    {
      what: '1,000 versions',
      body: { packages: versions.map((version) => ({ ...selected, version })) },
      status: 200,
    },
    {
      what: '300 versions with ten scanners and with a hash each',
      body: { packages: listHashed(npm.name, 300) },
      status: 200,
    },
    {
      what: '500 versions with ten scanners and with a hash each',
      body: { packages: listHashed(npm.name, maxWithHashes) },
      status: 400,
    },
    {
      what: '200 images by their tags, whose digests are read',
      body: { packages: listTags(200) },
      status: 200,
    },
    {
      what: '200 images by their tags and digests',
      body: {
        packages: listTags(200).map((one) => ({ ...one, hashes: [`sha256:${'05'.repeat(32)}`] })),
      },
      status: 200,
    },
  ],
  admitPod: [
    { what: '200 tags', body: review(200), status: 200 },
    { what: '200 tags with digests', body: review(200, toImageDigest), status: 200 },
  ],
  pinImages: [{ what: '200 tags', body: review(200), status: 200 }],
  listLicenses: [{ what: 'a search', query: { search: 'acme' }, status: 200 }],
  showLicense: [{ what: '12 licenses', path: { name: expression }, status: 200 }],
  listLicenseVersions: [
    { what: 'a page', path: { name: 'MIT' }, query: { limit: all }, status: 200 },
    {
      what: 'a status that few have',
      path: { name: 'MIT' },
      query: { status: 'rejected' },
      status: 200,
    },
    {
      what: 'one version of a status that few have',
      path: { name: 'MIT' },
      query: { status: 'rejected', limit: '1' },
      status: 200,
    },
  ],
  compareLicenses: [
    { what: '12 licenses with another', path: { name: expression, other: 'MIT' }, status: 404 },
  ],
  serveNpm: [
    { what: 'a package', path: { path: npm.name }, status: 200 },
    {
      what: 'a file that is not approved',
      path: { path: `${npm.name}/-/${npm.name}-9.9.9.tgz` },
      status: 403,
    },
  ],
  servePypi: [{ what: 'a project', path: { path: `simple/${pypi.name}/` }, status: 200 }],
  serveMaven: [{ what: 'an artifact', path: { path: 'bad/bad/maven-metadata.xml' }, status: 200 }],
  showFreeze: [{ what: 'no freeze', status: 200 }],
};
