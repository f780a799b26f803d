import { createHash } from 'node:crypto';
import { PutCommand } from '@aws-sdk/lib-dynamodb';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { pack } from '../../shared/storage/dynamodb/pack.ts';
import { databaseOf } from '../support/database.ts';
import { eventually } from '../support/eventually.ts';
import { type OriginServer, serveNpmVersion, startOriginServer } from '../support/origin-server.ts';
import { packagePath, TestRegistry } from '../support/registry.ts';
import { claims, type Sigstore, startSigstore, toBundle } from '../support/sigstore.ts';

let origin: OriginServer;
let registry: TestRegistry;
let sigstore: Sigstore;

beforeAll(async () => {
  [origin, sigstore] = await Promise.all([startOriginServer(), startSigstore()]);
  registry = await TestRegistry.start({ originUrl: origin.url });
  const TableName = registry.stack.tables['REVIEWS_TABLE'];
  const Item = {
    ...{ v: '#trusted-root', k: 'sigstore', root: pack(sigstore.root) },
    refreshed_at: new Date().toISOString(),
  };
  await databaseOf(registry).send(new PutCommand({ TableName, Item }));
});
afterAll(async () => {
  await registry.close();
  await origin.close();
});

const hash = (name: string) => createHash('sha512').update(name);

/** Publishes a version at the npm origin, with an attestation of the tarball with this content. */
const publish = async (name: string, attested: string): Promise<void> => {
  const url = `${origin.url}/npm/-/npm/v1/attestations/${name}@1.0.0`;
  const parts = await sigstore.attest({
    predicateType: 'https://slsa.dev/provenance/v1',
    subject: [{ name: `pkg:npm/${name}@1.0.0`, digest: { sha512: hash(attested).digest('hex') } }],
  });
  origin.serve(new URL(url).pathname, { body: { attestations: [{ bundle: toBundle(parts) }] } });
  const dist = {
    tarball: `${origin.url}/${name}.tgz`,
    integrity: `sha512-${hash(name).digest('base64')}`,
    attestations: { url, provenance: { predicateType: 'https://slsa.dev/provenance/v1' } },
  };
  serveNpmVersion(origin, name, dist);
};

/** Submits a version, and waits for its upstream metadata. */
const collect = async (name: string) => {
  await registry.submit({ ecosystem: 'npm', name, version: '1.0.0', license: 'MIT' });
  return eventually(async () => {
    const { body } = await registry.get(packagePath(name, '/evidence'));
    expect(body.facts).not.toBeNull();
    return body;
  });
};

const approve = (name: string, body: object = {}) =>
  registry.post(packagePath(name, '/approve'), body);

it('shows the verified provenance in the evidence and in the history', async () => {
  await publish('attested', 'attested');

  const evidence = await collect('attested');

  const provenance = {
    status: 'verified',
    ...{ source_repository: claims[12], commit: claims[13], workflow: claims[18] },
    ...{ builder: claims[9], issuer: claims[8], reason: null, signatures: null },
  };
  expect(evidence.facts.provenance).toEqual(provenance);
  expect((await approve('attested')).status).toBe(200);
  const { body } = await registry.get(packagePath('attested', '/history'));
  expect(body.history[0].evidence.facts.provenance).toMatchObject(provenance);
});

it('refuses the approval of a version with an attestation of another file, unless its code is named', async () => {
  await publish('forged', 'another tarball');

  const evidence = await collect('forged');

  expect(evidence.facts.provenance).toMatchObject({ status: 'invalid', source_repository: null });
  expect(evidence.issues).toContainEqual({
    code: 'provenance_invalid',
    message: 'Its provenance attestation is invalid: it is about another file.',
    blocks: true,
  });
  const reason = 'The publisher explained it';
  const refused = await approve('forged', { override: ['license_unreadable'], reason });
  expect([refused.status, refused.body.reasons.map(({ code }: { code: string }) => code)]).toEqual([
    409,
    ['provenance_invalid'],
  ]);
  const allowed = await approve('forged', { override: ['provenance_invalid'], reason });
  expect(allowed.status).toBe(200);
});
