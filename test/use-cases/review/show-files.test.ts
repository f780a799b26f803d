import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest';
import { noFacts } from '../../../shared/domain/facts/facts.ts';
import type { Manifest } from '../../../shared/domain/facts/manifest.ts';
import type { FileRules } from '../../../shared/domain/packages/file-places.ts';
import type { PackageId } from '../../../shared/domain/packages/package-id.ts';
import { defaultScanPolicy } from '../../../shared/domain/vulnerabilities/verdict.ts';
import { saveFacts } from '../../../shared/use-cases/facts/save-facts.ts';
import { showEvidence } from '../../../shared/use-cases/review/show-evidence.ts';
import { submitPackage } from '../../../shared/use-cases/review/submit-package.ts';
import { writeContext } from '../../capacity/write-context.ts';
import { startEngine, type TestEngine } from '../../support/engine.ts';

let engine: TestEngine;
beforeAll(async () => {
  engine = await startEngine();
});
afterAll(() => engine.close());

const sha256 = 'ab'.repeat(32);
const rules: FileRules = {
  origin: 'https://origin.example.com/base/',
  isSpread: false,
  places: [],
};

let id: PackageId;
let count = 0;
const showUrls = async (manifest: Manifest, files: FileRules) => {
  await submitPackage(id, writeContext());
  const facts = { ...noFacts, found: 'yes', reason: null } as const;
  const deadline = { remainingMs: () => 10_000 };
  const context = { now: new Date(), policy: defaultScanPolicy, everyHours: 168, deadline };
  await saveFacts(id, { facts, manifest }, context);
  const inquiries = { isScanning: false, isCollectingFacts: false };
  const settings = { rules: {}, inquiries, readFileRules: () => files };
  const evidence = await showEvidence(id, settings, new Date());
  return evidence.files?.files.map(({ url }) => url);
};

beforeEach(() => {
  count += 1;
});

const makeNpm = (tarball: string): Manifest => ({
  kind: 'npm',
  version: { dist: { integrity: `sha512-${'A'.repeat(86)}==`, tarball } },
});

it.each([
  ['at the origin', 'https://origin.example.com/x.tgz', 'https://origin.example.com/x.tgz'],
  ['at another host', 'https://other.example.com/x.tgz', null],
  ['that is no URL', 'x.tgz', null],
])('shows the address of a tarball %s', async (_where, tarball, expected) => {
  id = { ecosystem: 'npm', name: `pkg-${count}`, version: '1.0.0' };

  expect(await showUrls(makeNpm(tarball), rules)).toEqual([expected]);
});

it('shows the address at a mirror', async () => {
  id = { ecosystem: 'pypi', name: `pkg-${count}`, version: '1.0.0' };
  const [from, to] = ['https://files.example.com/', 'https://mirror.example.com/pypi/'];
  const files = [
    { filename: 'a-1.0.0.tar.gz', url: `${from}a-1.0.0.tar.gz`, hashes: { sha256 } },
    { filename: 'a-1.0.0.zip', url: 'https://x.example.com/a-1.0.0.zip', hashes: { sha256 } },
  ];

  const urls = await showUrls({ kind: 'pypi', files }, { ...rules, places: [{ from, to }] });

  expect(urls).toEqual([`${to}a-1.0.0.tar.gz`, null]);
});

it('derives the address of a Maven file from the coordinates', async () => {
  id = { ecosystem: 'maven', name: `org.acme:tool-${count}`, version: '1.0.0' };
  const file = { name: `tool-${count}-1.0.0.jar`, checksums: { sha256 } };

  const urls = await showUrls({ kind: 'maven', files: [file], parents: [], boms: [] }, rules);

  expect(urls).toEqual([
    `https://origin.example.com/base/org/acme/tool-${count}/1.0.0/tool-${count}-1.0.0.jar`,
  ]);
});

it('shows no address of an image', async () => {
  id = { ecosystem: 'docker', name: `image-${count}`, version: '1.0.0' };

  const urls = await showUrls(
    { kind: 'docker', digest: `sha256:${sha256}`, images: [] },
    { ...rules, isSpread: true },
  );

  expect(urls).toEqual([null]);
});
