/** The data with the highest read cost: as many and as large items as a test has time to make. */

import { randomBytes } from 'node:crypto';
import { BatchWriteCommand } from '@aws-sdk/lib-dynamodb';
import type { TableId } from '../../shared/api/resources.ts';
import { statementMediaType } from '../../shared/domain/attestations/dsse.ts';
import { type Facts, noFacts } from '../../shared/domain/facts/facts.ts';
import type { Manifest } from '../../shared/domain/facts/manifest.ts';
import {
  type PackageId,
  type PackageName,
  toPackageKey,
  toVersionKey,
} from '../../shared/domain/packages/package-id.ts';
import { noCounts } from '../../shared/domain/vulnerabilities/scan-summary.ts';
import { saveAttestation } from '../../shared/storage/attestations/attestation-items.ts';
import type { RecordItem } from '../../shared/storage/decisions/records.ts';
import { retryRead } from '../../shared/storage/dynamodb/attempt.ts';
import { dynamodb } from '../../shared/storage/dynamodb/dynamodb.ts';
import { pack } from '../../shared/storage/dynamodb/pack.ts';
import type { StoredItem } from '../../shared/storage/dynamodb/table.ts';
import { toEventItem } from '../../shared/storage/events/event-item.ts';
import { toLicensePartition } from '../../shared/storage/reviews/review-lists.ts';
import { toPartition } from '../../shared/storage/vulnerabilities/vulnerability-keys.ts';
import { splitInto } from '../../shared/util/split-into.ts';
import { toHashBytes } from '../support/pin-image.ts';
import type { RealisticPackage } from '../support/realistic-packages.ts';
import { failedScan } from './clean-scan.ts';
import { type StoredItems, storedItems } from './stored-registry.ts';

/** A text that hardly compresses. */
const noise = (length: number): string => randomBytes(length).toString('base64').slice(0, length);
/** The longest description, in characters of three bytes. */
const longest = '\u4e2d'.repeat(4096);
const moment = (at: number): string => new Date(Date.UTC(2025, 0, 1) + at * 1000).toISOString();

const listOf = <T>(count: number, make: (at: number) => T): T[] =>
  Array.from({ length: count }, (_, at) => make(at));

/** A package with very many versions, for each ecosystem with a gate. */
export const npm = { ecosystem: 'npm', name: 'bad' } as const;
export const pypi = { ecosystem: 'pypi', name: 'bad' } as const;
const maven = { ecosystem: 'maven', name: 'bad:bad' } as const;
export const docker = { ecosystem: 'docker', name: 'bad' } as const;

const versionCount = 450;
const imageCount = 210;
/** More comments than the evidence of a version looks at. */
const commentCount = 700;
const withFacts = 130;
const manifestBytes = 96 * 1024;
export const vulnerability = 'CVE-2026-1';
const rowCount = 1001;
/** More versions of a license than one request looks at. */
const licenseRows = 2500;

const toVersion = (at: number): string => `1.${at}.0`;
/** Returns the digest that the approval of an image pinned. */
export const toImageDigest = (at: number): string =>
  `sha256:${at.toString(16).padStart(4, '0').padEnd(64, '0')}`;

/** The version with the most evidence. */
export const fullest = { ...npm, version: toVersion(versionCount - 1) };

/** A version with very many comments. */
export const commented = { ...pypi, version: toVersion(versionCount - 1) };

/** Some versions have a license that no other version has. */
const claimsOwn = 30;
const license = (at: number): string =>
  at < claimsOwn
    ? Array.from({ length: 8 }, (_, n) => `LicenseRef-${at}-${n}`).join(' OR ')
    : 'MIT';

const versionsOf = (
  id: Omit<PackageId, 'version'>,
  count: number,
  name: (at: number) => string = toVersion,
): RealisticPackage[] =>
  Array.from({ length: count }, (_, at) => ({
    submission: { ...id, version: name(at), description: longest, license: license(at) },
    decision: { to: 'approved', by: 'ana', reason: 'x'.repeat(2000) },
  }));

const manifestOf = ({ ecosystem, name, version }: PackageId): Manifest => {
  const filler = noise(manifestBytes);
  const hashes = { sha256: 'a'.repeat(64) };
  if (ecosystem === 'pypi') {
    const file = { filename: `${name}-${version}.tar.gz`, url: 'https://x.example/x', hashes };
    return { kind: 'pypi', files: [{ ...file, 'requires-python': filler }] };
  }
  if (ecosystem === 'maven') {
    const checksums = { sha1: 'a'.repeat(40) };
    return { kind: 'maven', files: [{ name: filler, checksums }], parents: [], boms: [] };
  }
  const optionalDependencies = Object.fromEntries(
    Array.from({ length: 200 }, (_, at) => [at === 0 ? 'bad' : `other-${at}`, '1.0.0']),
  );
  const dependencies = Object.fromEntries(
    Array.from({ length: 60 }, (_, at) => [`alias-${version}-${at}`, 'npm:bad@^9.0.0']),
  );
  const dist = { tarball: 'https://x.example/x', integrity: 'sha512-AAAA' };
  return {
    kind: 'npm',
    version: { name, version, dist, dependencies, optionalDependencies, filler },
  };
};

const facts: Facts = { ...noFacts, found: 'yes', reason: null };

/** The findings of ten tools, each with the longest reason. */
const sources = Array.from({ length: 10 }, (_, at) => ({
  ...{ id: `source-${at}`, tools: [`tool-${at}`], label: 'ci', number: at + 1, failures: 1 },
  ...{ scan_date: moment(at), reason: 'x'.repeat(1000), confirmed_at: null, forced: false },
  finished: { number: at + 1, scan_date: moment(at), severity: noCounts, digest: 'd', malware: [] },
}));

const digest = 'of-the-facts';

/** The newest versions have upstream metadata, and the review states of all have the largest size. */
const enlarge = ({ packages, catalogue, reviews }: StoredItems): StoredItems => ({
  packages: packages.map((item) =>
    item['status'] === 'approved' && item['ecosystem'] !== 'docker'
      ? { ...item, pinned: digest }
      : item,
  ),
  catalogue,
  reviews: reviews.map((one) =>
    one['k'] === 'head' ? { ...one, sources, latest_scan_number: 10, pinned: digest } : one,
  ),
});

const factsOf = (id: Omit<PackageId, 'version'>, count: number): StoredItem[] =>
  listOf(count, (at) => {
    const version = { ...id, version: toVersion(versionCount - 1 - at) };
    return {
      ...{ v: toVersionKey(version), k: `facts#${digest}`, facts: pack(facts) },
      manifest: pack(manifestOf(version)),
    };
  });

/** The mark of a package whose pack no worker has written: its lists read each version. */
const markOf = (of: PackageName): StoredItem => ({
  ...{
    v: `#pack#${toPackageKey(of.ecosystem, of.name)}`,
    k: `c#${toVersionKey({ ...of, version: toVersion(0) })}`,
  },
  state: '1 ',
});

/** The hashes of the most files that a version keeps. */
const hashesOf = (id: Omit<PackageId, 'version'>): StoredItem[] =>
  listOf(versionCount, (at) => ({
    ...{ v: toVersionKey({ ...id, version: toVersion(at) }), k: `hashes#${digest}` },
    ...{ hashes: Buffer.from(Array.from({ length: 450 * 17 }, () => 5)), hosts: [] },
  }));

/** The hashes of images for the most platforms. */
const imageHashes = (): StoredItem[] =>
  listOf(imageCount, (at) => ({
    ...{ v: toVersionKey({ ...docker, version: toVersion(at) }), k: `hashes#${digest}` },
    hashes: Buffer.concat(
      listOf(201, () => toHashBytes({ algorithm: 'sha256', hex: toImageDigest(at).slice(7) })),
    ),
    ...{ hosts: [], imageDigest: toImageDigest(at) },
  }));

/** The findings of each scanner in one version. */
const findingsOf = (): StoredItem[] =>
  sources.map(({ id }) => ({
    ...{ v: toVersionKey(fullest), k: `scan#${id}` },
    vulnerabilities: pack(
      listOf(300, (at) => ({ ...finding, id: `X-${at}`, summary: noise(1000) })),
    ),
  }));

/** List rows of the largest size. */
const listRows = (): StoredItem[] => {
  const status = { status: 'approved', expires_at: null };
  const rows = Array.from({ length: rowCount }, (_, at): StoredItem[] => {
    const id = { ...npm, version: toVersion(at) };
    const key = toVersionKey(id);
    const ratings = { severity: 'critical', score: 9, not_affecting: null, known_exploited: true };
    return [
      {
        ...{ v: toPartition(vulnerability), k: key, ...id, ...status, ...ratings },
        ...{ fixed_versions: Array.from({ length: 20 }, () => 'x'.repeat(256)) },
        ...{ components: Array.from({ length: 20 }, () => 'x'.repeat(512)) },
        ...{ accepted_until: null, preferred: true, leaseNumber: 1 },
      },
      {
        ...{ v: '#vulns#all', k: `001.0#${noise(30)}`, id: `X-${at}`, ...ratings, epss: null },
        aliases: Array.from({ length: 10 }, () => 'x'.repeat(128)),
        ...{ summary: 'x'.repeat(200), statuses: { approved: 1, pending: 0, rejected: 0 } },
      },
      {
        ...{ v: '#attention', k: `0#${moment(at)}#${key}`, since: moment(at), expires_at: null },
        ...{ ...id, severity: noCounts, reasons: ['scan_failed'] },
      },
      {
        ...{ v: '#due', k: `${moment(1e8 + at)}#expiry#${key}`, kind: 'expiry', revision: 1 },
        ...{ due_at: moment(1e8 + at), ...id },
      },
    ];
  });
  const inBatch = listOf(versionCount, (at) => ({
    ...{ v: '#batch#bad', k: `${moment(at)}#${toVersionKey({ ...npm, version: toVersion(at) })}` },
    ...{ status: 'approved', submitted_by: 'x'.repeat(255), submitter: 'ci' },
  }));
  const withLicense = listOf(licenseRows, (at) => ({
    ...{ v: toLicensePartition('mit'), k: `#npm#${'x'.repeat(214)}#${toVersion(at)}`, revision: 1 },
    ...{ status: 'approved', submitted_by: 'x'.repeat(255), submitter: 'ci' },
  }));
  return [
    ...inBatch,
    ...withLicense,
    {
      ...{ v: toPartition(vulnerability), k: '#acceptance#00000001', id: vulnerability, number: 1 },
      ...{ reason: 'x', expires_at: moment(1e8), by: 'ana', at: moment(0) },
      ...{ ecosystem: null, name: null, version: null },
    },
    ...rows.flat(),
  ];
};

/** The items for the import, which accepts no binary values: versions and their review data. */
export function* worstItems(): Generator<Partial<StoredItems>> {
  const packages = [
    ...[npm, pypi, maven].flatMap((id) => versionsOf(id, versionCount)),
    ...versionsOf(docker, imageCount),
    ...versionsOf(docker, imageCount, toImageDigest),
  ];
  for (const items of storedItems(packages)) yield enlarge(items);
  yield { reviews: listRows() };
}

const recordAt = (at: number): RecordItem => ({
  package_key: toPackageKey(npm.ecosystem, npm.name),
  decision_key: `${toVersion(at)} ${moment(at)}`,
  ...{ moment: `${moment(at)} r${at}`, id: `r${at}`, type: 'package.rejected', at: moment(at) },
  ...{ ...npm, version: toVersion(at), by: 'ana', from: 'approved', to: 'rejected' },
  reason: '\u2028'.repeat(2000),
  ...{ token_label: null, token_fingerprint: null },
});

/** The longest comment on a version of a package. */
const commentAt = (at: number): RecordItem => ({
  ...recordAt(at),
  ...{ package_key: toPackageKey(pypi.ecosystem, pypi.name), ...pypi, version: commented.version },
  ...{ decision_key: `${commented.version} ${moment(at)}`, type: 'package.commented' },
});

const { vulnerabilities: found, ...summary } = failedScan(fullest);
const [finding] = found;

const scanAt = (at: number): StoredItem => {
  const many = listOf(350, () => ({ ...finding, summary: noise(1000) }));
  return {
    ...{ package_key: toVersionKey(fullest), scan_key: String(at + 1).padStart(8, '0'), summary },
    ...{ vulnerabilities: pack(many), token_label: null, token_fingerprint: null },
  };
};

const licenseAt = (at: number): StoredItem => ({
  ...{ kind: 'license', license_key: `acme-${at}`, name: `Acme-${at}`, category: 'proprietary' },
  ...{ status: 'approved', note: 'x'.repeat(2000), reviewed_by: 'ana', reviewed_at: moment(at) },
  revision: 1,
});

const mit = { license_key: 'mit', name: 'MIT', category: 'permissive' };

/** Makes one call after the other, and retries timeouts of a busy machine. */
const writeAll = async (table: TableId, items: readonly StoredItem[], aCall = 25) => {
  for (const some of splitInto(aCall, items)) {
    const puts = some.map((Item) => ({ PutRequest: { Item } }));
    const command = new BatchWriteCommand({ RequestItems: { [table]: puts } });
    await retryRead((options) => dynamodb.send(command, options));
  }
};

/** Writes an attestation with the most files, with long names. It is the end of a recall, so that its time is no matter. */
const writeAttestation = async (): Promise<void> => {
  const statement = {
    subject: listOf(1000, (at) => ({
      name: `pkg:npm/bad@1.0.0?file_name=${noise(150)}`,
      digest: { sha512: randomBytes(64).toString('hex'), at },
    })),
  };
  await saveAttestation(
    {
      ...{ ...fullest, id: 'a', type: 'package.released', at: moment(1e9) },
      ...{ from: 'rejected', to: 'approved', by: null, token_label: null, reason: null },
    },
    {
      payloadType: statementMediaType,
      payload: Buffer.from(JSON.stringify(statement)).toString('base64'),
      signatures: [{ keyid: noise(43), sig: noise(96) }],
    },
  );
};

/** Writes the items with binary values: records, events, scans and licenses. */
export const writeRest = async (): Promise<void> => {
  const records = listOf(rowCount, recordAt);
  await writeAll(
    'decisions',
    records.map((record) => ({ ...record })),
  );
  await writeAll(
    'decisions',
    listOf(commentCount, commentAt).map((record) => ({ ...record })),
  );
  await writeAll('events', [
    { p: '#head', s: '#head', seq: rowCount },
    ...records.map((record, at) => ({ ...toEventItem(record, at + 1) })),
  ]);
  await writeAll('scans', listOf(25, scanAt), 5);
  await writeAll('reviews', findingsOf(), 5);
  await writeAll('reviews', [...factsOf(npm, withFacts), ...factsOf(pypi, withFacts / 2)], 5);
  await writeAll('reviews', [npm, pypi, maven].map(markOf), 3);
  await writeAll('reviews', hashesOf(npm));
  await writeAll('reviews', imageHashes());
  await writeAttestation();
  await writeAll('licenses', [...listOf(2000, licenseAt), { ...licenseAt(0), ...mit }]);
};
