import { readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { readStack } from '@package-registry/local-aws';
import { describe, expect, inject, it } from 'vitest';
import { goWithout } from '../../infra/local/synthesis.ts';
import { allRoutes, routesByName } from '../../shared/api/all-routes.ts';
import { allFunctions } from '../../shared/api/functions.ts';
import { allPages } from '../../shared/api/non-api-routes.ts';
import { listAccess } from '../../shared/api/resources.ts';
import * as routes from '../../shared/api/routes.ts';
import { functionOf } from '../support/functions.ts';

/** The largest bundle of each kind, in bytes, slightly above the current size: cold starts grow with the bundle. */
const mostBytes = {
  read: 294_000,
  /** SPDX's identifiers and titles, and the license parser and policy: a quarter of such a bundle. */
  licenseRead: 408_000,
  /** Bundles that also authenticate tokens and write to the catalogue. */
  tokenEndpoint: 445_000,
  worker: 396_000,
  page: 325_500,
} as const;

/** Larger functions. Pages contain the files that they serve. A Lambda response has at most 6 MB of escaped JSON. */
const larger: Readonly<Record<string, number>> = {
  'show-docs': 1_970_000,
  'show-openapi': 473_000,
  // It has the page of the evidence report, the writers of CSV and VEX, and the library of CycloneDX without XML.
  'show-command-line': 1_868_000,
  // It contains the bundle of the console, which parses dependency files, and has the client for sign-ins by account.
  // The parsers know the offsets of images, at which the command line writes digests.
  'show-console-file': 484_000,
  // It checks dependency files with the same code as decisions.
  'check-packages': 435_500,
  // It also lists pending versions, like the catalogue.
  'apply-policy': 420_500,
  // It also reads the malware feed, and requests scans.
  'recall-packages': 439_500,
  // It has the TUF client and its first root.
  'refresh-trusted-root': 438_500,
  // It parses the XML, HTML and addresses of origins, verifies attestations, and reads accounts at upstream services; no caller
  // waits for it.
  'collect-facts': 776_500,
  // With the setting gateRequests, the gate checks tokens and sends requests to the queue of submissions.
  'serve-npm': 377_500,
  'serve-pypi': 345_000,
  'serve-maven': 368_000,
  // It reads the lists of versions of origins, and submits like an endpoint.
  'submit-requested': 591_000,
  // It compares the dependencies of a version with their ranges, and knows the allowed addresses of files.
  'show-evidence': 440_500,
  // It reads the ranges of npm and PyPI.
  'show-changes': 320_000,
  'list-dependencies': 320_000,
};

const licenseReads: readonly string[] = [
  routes.showPackage.id,
  routes.listPackages.id,
  routes.listReviews.id,
  routes.showEvidence.id,
  routes.listLicenses.id,
  routes.showLicense.id,
  routes.compareLicenses.id,
  routes.listLicenseVersions.id,
];

const kindOf = (id: string): keyof typeof mostBytes => {
  const route = allRoutes.find((candidate) => candidate.id === id);
  if (route) {
    if (route.scope !== undefined) return 'tokenEndpoint';
    return licenseReads.includes(id) ? 'licenseRead' : 'read';
  }
  return allPages.some((page) => page.id === id) ? 'page' : 'worker';
};

const bundleOf = (id: string): string =>
  join(functionOf(readStack(inject('assembly'), { goWithout }), id).codeDirectory, 'index.mjs');

describe('the functions', () => {
  it('have exactly one file for each route, page and worker, named after its id', () => {
    const files = readdirSync('functions').sort();

    expect(files).toEqual(allFunctions.map(({ id }) => `${id}.ts`).sort());
  });

  it.each(readdirSync('functions'))('are short: %s', (file) => {
    const lines = readFileSync(join('functions', file), 'utf8').split('\n').length;

    expect(lines).toBeLessThanOrEqual(40);
  });
});

describe('the bundle', () => {
  it.each(allFunctions.map(({ id }) => [id, larger[id] ?? mostBytes[kindOf(id)]] as const))(
    'of %s has at most %d bytes',
    (id, most) => {
      expect(statSync(bundleOf(id)).size).toBeLessThanOrEqual(most);
    },
  );

  it.each(allRoutes.map(({ id }) => id))('of %s has the endpoints that its file names', (id) => {
    const code = readFileSync(bundleOf(id), 'utf8');
    const source = readFileSync(`functions/${id}.ts`, 'utf8');
    const named = Object.entries(routesByName).filter(([name]) =>
      new RegExp(`\\broutes\\.${name}\\b`).test(source),
    );
    const held = allRoutes.filter((route) => code.includes(`id:"${route.id}"`));

    expect(held.map((route) => route.id)).toEqual(named.map(([, route]) => route.id));
    expect(held).not.toEqual([]);
  });

  it.each([
    ["the SDK's streams of events", ':event-type'],
    ["zod's JSON Schema", 'json-schema.org/draft'],
    ["the SDK's store of discovered endpoints", 'mnemonist/lru-cache'],
    ["the manifests of the SDK's clients", 'aws-sdk-js-v3/tree'],
    ["the SDK's search for the region", 'placement/region'],
  ])('of an endpoint does not have %s, which no endpoint uses', (_, trace) => {
    const found = allRoutes.filter(({ id }) => readFileSync(bundleOf(id), 'utf8').includes(trace));

    expect(found.map(({ id }) => id)).toEqual([]);
  });

  it("has SPDX's list of licenses only once", () => {
    const lists = readFileSync(bundleOf(routes.submitPackage.id), 'utf8').match(
      /"3D-Slicer-1\.0"/g,
    );

    expect(lists).toHaveLength(1);
  });

  const readsSecrets = (one: (typeof allFunctions)[number]): boolean =>
    listAccess(one, () => true).some((access) => 'tokens' in access || 'upstreamSecret' in access);

  it.each(allFunctions.map((one) => [one.id, readsSecrets(one)] as const))(
    'of %s has the Secrets Manager client only if it reads a secret: %s',
    (routeId, doesRead) => {
      const code = readFileSync(bundleOf(routeId), 'utf8');

      expect(code.includes('SecretsManagerServiceException')).toBe(doesRead);
    },
  );

  const signs = (one: (typeof allFunctions)[number]): boolean =>
    listAccess(one, () => true).some((access) => 'signingKey' in access);

  it.each(allFunctions.map((one) => [one.id, signs(one)] as const))(
    'of %s has the KMS client only if it uses the signing key: %s',
    (id, doesSign) => {
      const code = readFileSync(bundleOf(id), 'utf8');

      expect(code.includes('KMSServiceException')).toBe(doesSign);
    },
  );

  it.each(allFunctions.map(({ id }) => id))(
    "of %s requires Node's http, since an import of it would load all of fetch",
    (routeId) => {
      const code = readFileSync(bundleOf(routeId), 'utf8');

      expect(/(?:from|import\(?) ?"(?:node:)?http"/.exec(code)).toBeNull();
    },
  );

  it("leaves out the SDK's credential providers and zod's other languages", () => {
    const code = readFileSync(bundleOf('submit-package'), 'utf8');

    expect(code).not.toMatch(/fromSSO|fromIni|Ungültige Eingabe/);
  });
});
