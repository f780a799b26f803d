import { createHash, generateKeyPairSync, sign } from 'node:crypto';
import {
  Key,
  Metadata,
  MetaFile,
  Root,
  Signature,
  Snapshot,
  TargetFile,
  Targets,
  Timestamp,
} from '@tufjs/models';
import type { OriginServer } from './origin-server.ts';

const { privateKey, publicKey } = generateKeyPairSync('ed25519');
const publicHex = publicKey.export({ format: 'der', type: 'spki' }).subarray(-32).toString('hex');
const keyID = createHash('sha256').update(publicHex).digest('hex');
const key = new Key({
  ...{ keyID, keyType: 'ed25519', scheme: 'ed25519' },
  keyVal: { public: publicHex },
});

const toJson = (metadata: Metadata<Root | Timestamp | Snapshot | Targets>): Buffer => {
  metadata.sign(
    (data) => new Signature({ keyID, sig: sign(null, data, privateKey).toString('hex') }),
  );
  return Buffer.from(JSON.stringify(metadata.toJSON()));
};

const expires = '2099-01-01T00:00:00Z';

/** Root metadata of the repository, from which clients trust it. */
export const firstRoot = (() => {
  const root = new Root({ version: 1, specVersion: '1.0.0', expires, consistentSnapshot: false });
  for (const role of ['root', 'timestamp', 'snapshot', 'targets']) root.addKey(key, role);
  return toJson(new Metadata(root));
})();

/** Serves a TUF repository whose only target is a trusted root, below a path of the server. */
export const serveTuf = (server: OriginServer, path: string, trustedRoot: unknown): void => {
  const body = Buffer.from(JSON.stringify(trustedRoot));
  const common = { version: 1, specVersion: '1.0.0', expires };
  const sha256 = createHash('sha256').update(body).digest('hex');
  const target = new TargetFile({
    ...{ path: 'trusted_root.json', length: body.length, hashes: { sha256 } },
  });
  const targets = { 'trusted_root.json': target };
  const documents = {
    'timestamp.json': new Timestamp({ ...common, snapshotMeta: new MetaFile({ version: 1 }) }),
    'snapshot.json': new Snapshot({
      ...common,
      meta: { 'targets.json': new MetaFile({ version: 1 }) },
    }),
    'targets.json': new Targets({ ...common, targets }),
  };
  for (const [name, signed] of Object.entries(documents)) {
    server.serve(`${path}/${name}`, { body: toJson(new Metadata<typeof signed>(signed)) });
  }
  server.serve(`${path}/targets/trusted_root.json`, { body });
};
