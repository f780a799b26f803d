import { createHash, generateKeyPairSync, type KeyObject, sign } from 'node:crypto';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { CheckedProvenance } from '../../../shared/domain/facts/provenance.ts';
import type { PackageId } from '../../../shared/domain/packages/package-id.ts';
import { createProvenanceCheck } from '../../../shared/use-cases/facts/check-provenance.ts';
import { refreshTrustedRoot } from '../../../shared/use-cases/facts/refresh-trusted-root.ts';
import { startEngine, type TestEngine } from '../../support/engine.ts';
import { askServer, type OriginServer, startOriginServer } from '../../support/origin-server.ts';
import {
  claims,
  type Sigstore,
  startSigstore,
  toBundle,
  toPep740,
} from '../../support/sigstore.ts';

let sigstore: Sigstore;
let engine: TestEngine;
let server: OriginServer;
beforeAll(async () => {
  [sigstore, engine] = await Promise.all([startSigstore(), startEngine()]);
});
beforeEach(async () => {
  server = await startOriginServer();
  await refresh(new Date());
});
afterEach(() => server.close());
afterAll(() => engine.close());

const deadline = { remainingMs: () => 100_000 };

const refresh = (now: Date, root = sigstore.root) =>
  refreshTrustedRoot(async () => root, { now, deadline });

/** Collects a version from the server, and checks its provenance in a batch of its own. */
const check = async (
  id: PackageId,
  known?: CheckedProvenance,
  settings: Parameters<typeof askServer>[1] = {},
) => {
  const collected = await askServer(server).collectFacts(id);
  expect(collected.outcome).toBe('answered');
  const client = askServer(server, settings);
  return createProvenanceCheck({ client, deadline })(id, collected, known);
};

const countRequests = (part: string): number =>
  server.requests.filter(({ path }) => path.includes(part)).length;

const tarball = Buffer.from('the tarball');
const hexOf = (algorithm: string, bytes: Buffer) =>
  createHash(algorithm).update(bytes).digest('hex');
const integrity = `sha512-${createHash('sha512').update(tarball).digest('base64')}`;
const tool: PackageId = { ecosystem: 'npm', name: '@acme/tool', version: '1.0.0' };
const publishedAt = '2026-03-01T00:00:00.000Z';
const attestationsPath = '/-/npm/v1/attestations/@acme%2ftool@1.0.0';

/** Publishes the npm version. `dist` overrides fields of its record. */
const publish = (dist: object = {}) =>
  server.serve('/@acme%2ftool', {
    body: {
      name: tool.name,
      time: { '1.0.0': publishedAt },
      versions: {
        '1.0.0': {
          ...{ name: tool.name, version: '1.0.0', license: 'MIT' },
          dist: {
            ...{ tarball: `${server.url}/tool.tgz`, integrity },
            attestations: { url: `${server.url}${attestationsPath}` },
            ...dist,
          },
        },
      },
    },
  });

const attestNpm = (more: object = {}, options: Parameters<Sigstore['attest']>[1] = {}) =>
  sigstore.attest(
    {
      predicateType: 'https://slsa.dev/provenance/v1',
      subject: [
        { name: 'pkg:npm/%40acme/tool@1.0.0', digest: { sha512: hexOf('sha512', tarball) } },
      ],
      ...more,
    },
    options,
  );

const publishPredicate = 'https://github.com/npm/attestation/tree/main/specs/publish/v0.1';

/** Serves the attestations of npm: that of the publication, and that of the build. */
const serveNpm = async (build: Awaited<ReturnType<typeof attestNpm>>) => {
  const published = await attestNpm({ predicateType: publishPredicate });
  const attestations = [published, build].map((one) => ({ bundle: toBundle(one) }));
  server.serve(attestationsPath, { body: { attestations } });
};

const verified = {
  status: 'verified',
  source_repository: claims[12],
  commit: claims[13],
  workflow: claims[18],
  builder: claims[9],
  issuer: claims[8],
  reason: null,
};

describe('provenance of npm', () => {
  it('is verified by the attestation of the build', async () => {
    publish();
    await serveNpm(await attestNpm());

    expect(await check(tool)).toMatchObject({ ...verified, signatures: null });
  });

  it('is not requested again while the files are the same', async () => {
    publish();
    await serveNpm(await attestNpm());
    const first = await check(tool);
    server.serve(attestationsPath, { status: 500 });

    expect(await check(tool, first)).toEqual(first);
    expect(countRequests('attestations')).toBe(1);
  });

  it('is checked again for another file', async () => {
    publish();
    await serveNpm(await attestNpm());
    const first = await check(tool);
    publish({ integrity: `sha512-${createHash('sha512').update('other').digest('base64')}` });

    const second = await check(tool, first);

    expect(second).toMatchObject({ status: 'invalid', source_repository: null });
    expect(second?.reason).toContain('another file');
  });

  it.each([
    ['a missing answer', {}, { status: 404 }],
    ['an error', {}, { status: 500 }],
    ['a web page', {}, { body: '<html>sign in</html>' }],
    ['another JSON', {}, { body: { attestations: 'none' } }],
    ['an oversized answer', {}, { body: { attestations: ['x'.repeat(1_100_000)] } }],
    ['no attestation of the build', {}, { body: { attestations: [] } }],
    ['a slow origin', { timeoutMs: 50, deadlineMs: 100 }, { act: () => undefined }],
  ])('could not be checked after %s', async (_, settings, reply) => {
    publish();
    server.serve(attestationsPath, reply);

    expect(await check(tool, undefined, settings)).toMatchObject({
      status: 'present',
      source_repository: null,
      reason: expect.stringMatching(/\w/),
    });
  });

  it.each([
    ['another host', 'https://registry.example.com/-/npm/v1/attestations/tool@1.0.0'],
    ['another scheme', 'file:///etc/passwd'],
    ['no address', 'attestations'],
  ])('is not requested from %s', async (_, url) => {
    publish({ attestations: { url } });
    const before = server.requests.length;

    expect(await check(tool)).toMatchObject({
      status: 'present',
      reason: expect.stringContaining('not at the address of the origin'),
    });
    expect(server.requests.length).toBe(before + 1);
  });

  it('stays as it is if only the reason differs why it could not be checked', async () => {
    publish();
    server.serve(attestationsPath, { status: 404 });
    const first = await check(tool);
    server.serve(attestationsPath, { status: 500 });

    expect(await check(tool, first)).toEqual(first);
    await serveNpm(await attestNpm());
    expect(await check(tool, first)).toMatchObject(verified);
  });

  it('stays invalid until another check', async () => {
    publish();
    await serveNpm(await attestNpm({ subject: [] }));
    const first = await check(tool);
    server.serve(attestationsPath, { status: 500 });

    expect(first).toMatchObject({ status: 'invalid' });
    expect(await check(tool, first)).toEqual(first);
    await serveNpm(await attestNpm());
    expect(await check(tool, first)).toMatchObject(verified);
  });

  it('is none without an attestation', async () => {
    publish({ attestations: undefined, signatures: [] });

    expect(await check(tool)).toMatchObject({ status: 'none', signatures: 'none' });
  });

  it('is unknown if upstream shows neither attestations nor signatures', async () => {
    publish({ attestations: undefined });

    expect(await check(tool)).toBeUndefined();
  });

  it('is not invalid for services that only a newer trusted root has', async () => {
    publish();
    await serveNpm(await attestNpm());
    const other = await startSigstore();

    await refresh(new Date(), other.root);
    expect(await check(tool)).toMatchObject({ status: 'invalid' });
    await refresh(new Date(Date.now() - 8 * 86_400_000), other.root);
    expect(await check(tool)).toMatchObject({ status: 'present' });
  });

  it('uses the root of the release if the stored one cannot be used', async () => {
    publish();
    await serveNpm(await attestNpm());
    await refresh(new Date(), { tlogs: [{}] });

    expect(await check(tool)).toMatchObject({
      status: 'present',
      reason: expect.stringContaining('outdated'),
    });
  });
});

const [keys, otherKeys] = [
  generateKeyPairSync('ec', { namedCurve: 'prime256v1' }),
  generateKeyPairSync('ec', { namedCurve: 'prime256v1' }),
];

const serveKeys = (expires: string | null = null, publicKey: KeyObject = keys.publicKey) =>
  server.serve('/-/npm/v1/keys', {
    body: {
      keys: [
        { keyid: 'broken', key: 'no key' },
        {
          ...{ keyid: 'SHA256:one', expires, keytype: 'ecdsa-sha2-nistp256' },
          key: publicKey.export({ format: 'der', type: 'spki' }).toString('base64'),
        },
      ],
    },
  });

const signVersion = (message = `@acme/tool@1.0.0:${integrity}`, keyid = 'SHA256:one') => ({
  attestations: undefined,
  signatures: [
    { keyid, sig: sign('sha256', Buffer.from(message), keys.privateKey).toString('base64') },
  ],
});

describe('signatures of npm', () => {
  it.each([
    ['a key without an end', null, 'verified'],
    ['a key of its time', '2026-06-01T00:00:00.000Z', 'verified'],
    ['a key that had expired', '2026-01-01T00:00:00.000Z', 'invalid'],
  ])('are checked with %s', async (_, expires, signatures) => {
    serveKeys(expires);
    publish(signVersion());

    expect(await check(tool)).toMatchObject({ status: 'none', signatures });
  });

  it('are invalid for another content, or by another key', async () => {
    serveKeys();
    publish(signVersion('@acme/tool@1.0.0:sha512-other'));
    expect(await check(tool)).toMatchObject({ signatures: 'invalid' });

    serveKeys(null, otherKeys.publicKey);
    publish(signVersion());
    expect(await check(tool)).toMatchObject({ signatures: 'invalid' });
  });

  it.each([
    ['without keys', undefined],
    ['with an unknown key', 'SHA256:other'],
  ])('are unknown %s', async (_, keyid) => {
    if (keyid) serveKeys();
    publish(signVersion(undefined, keyid));

    expect(await check(tool)).toMatchObject({ status: 'none', signatures: null });
  });

  it('need the keys once for a batch, and not again for the same files', async () => {
    serveKeys();
    publish(signVersion());
    const collected = await askServer(server).collectFacts(tool);
    const checkOne = createProvenanceCheck({ client: askServer(server), deadline });
    const [first] = await Promise.all([
      checkOne(tool, collected, undefined),
      checkOne(tool, collected, undefined),
    ]);
    expect(countRequests('keys')).toBe(1);
    server.serve('/-/npm/v1/keys', { status: 500 });

    expect(await check(tool, first)).toEqual(first);
    expect(countRequests('keys')).toBe(1);
  });
});

const lib: PackageId = { ecosystem: 'pypi', name: 'lib', version: '1.0.0' };

/** Type of PyPI's attestations, without the protocol: it is a name, and nothing requests it. */
const publishedType = `docs.${lib.ecosystem}.org/attestations/publish/v1`;
const wheel = (at: number) => `lib-1.0.0-cp3${at}-cp3${at}-any.whl`;

/** Publishes files of the PyPI version, all or some of them with an address of attestations. */
const publishFiles = (count: number, attested = count) =>
  server.serve('/simple/lib/', {
    headers: { 'Content-Type': 'application/vnd.pypi.simple.v1+json' },
    body: {
      files: Array.from({ length: count }, (_, at) => ({
        ...{ filename: wheel(at), url: `${server.url}/${wheel(at)}` },
        hashes: { sha256: hexOf('sha256', Buffer.from(wheel(at))) },
        provenance: at < attested ? `${server.url}/integrity/${at}` : null,
      })),
    },
  });

const serveFile = async (at: number, publisher: object, more: object = {}) => {
  const parts = await sigstore.attest({
    predicateType: `https://${publishedType}`,
    subject: [{ name: wheel(at), digest: { sha256: hexOf('sha256', Buffer.from(wheel(at))) } }],
    ...more,
  });
  const attestation_bundles = [{ publisher, attestations: [toPep740(parts)] }];
  server.serve(`/integrity/${at}`, { body: { version: 1, attestation_bundles } });
};

const github = { kind: 'GitHub', repository: 'Acme/tool', workflow: 'release.yml' };

describe('provenance of PyPI', () => {
  it('is verified by the attestations of its files', async () => {
    publishFiles(2);
    await Promise.all([0, 1].map((at) => serveFile(at, github)));

    expect(await check(lib)).toMatchObject({ ...verified, signatures: null });
  });

  it('allows the normalized spelling of a file name', async () => {
    publishFiles(1);
    const digest = { sha256: hexOf('sha256', Buffer.from(wheel(0))) };
    await serveFile(0, github, { subject: [{ name: wheel(0).replace('lib', 'Lib'), digest }] });

    expect(await check(lib)).toMatchObject(verified);
  });

  it('is invalid if one file has an invalid attestation', async () => {
    publishFiles(2);
    await serveFile(0, github);
    await serveFile(1, github, { subject: [{ name: wheel(1), digest: { sha256: 'ff' } }] });

    expect(await check(lib)).toMatchObject({ status: 'invalid' });
  });

  it('is invalid if upstream names another publisher than the certificate', async () => {
    publishFiles(1);
    await serveFile(0, { ...github, repository: 'evil/tool' });

    const found = await check(lib);

    expect(found).toMatchObject({ status: 'invalid', source_repository: null });
    expect(found?.reason).toContain('than the publisher upstream');
  });

  it('is not verified if a file has no attestation', async () => {
    publishFiles(3, 2);
    await Promise.all([0, 1].map((at) => serveFile(at, github)));

    expect(await check(lib)).toMatchObject({
      status: 'present',
      reason: '1 of 3 files have no attestation.',
    });
  });

  it('is checked for five files, and says so', async () => {
    publishFiles(7);
    await Promise.all([0, 1, 2, 3, 4].map((at) => serveFile(at, github)));

    expect(await check(lib)).toMatchObject({
      ...verified,
      reason: '5 of 7 files were checked.',
    });
    expect(countRequests('integrity')).toBe(5);
  });
});
