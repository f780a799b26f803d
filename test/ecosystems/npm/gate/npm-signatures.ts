import { createHash, generateKeyPairSync, sign } from 'node:crypto';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { OriginServer } from '../../../support/origin-server.ts';
import type { PackageJson } from './npm-origin.ts';

const { publicKey, privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
const key = publicKey.export({ type: 'spki', format: 'der' });
const keyid = `SHA256:${createHash('sha256').update(key).digest('base64')}`;
const toName = ({ name, version }: PackageJson): string => `${name}@${version}`;

/** The key of an origin, in the answer to clients. */
export const keys = {
  keys: [
    {
      ...{ expires: null, keyid, keytype: 'ecdsa-sha2-nistp256', scheme: 'ecdsa-sha2-nistp256' },
      key: key.toString('base64'),
    },
  ],
};

/** Returns the `signatures` of a version as npm's registry makes them, by default of the version itself. */
export const signVersion = (
  manifest: PackageJson,
  integrity: string,
  message = `${toName(manifest)}:${integrity}`,
) => ({
  signatures: [{ keyid, sig: sign('sha256', Buffer.from(message), privateKey).toString('base64') }],
});

/** Has a server publish an attestation that no authority has signed. Returns the `attestations` of the version. */
export const attest = (origin: OriginServer, manifest: PackageJson, integrity: string) => {
  const path = `/-/npm/v1/attestations/${toName(manifest)}`;
  const sha512 = Buffer.from(integrity.replace('sha512-', ''), 'base64').toString('hex');
  const statement = { subject: [{ name: `pkg:npm/${toName(manifest)}`, digest: { sha512 } }] };
  const payload = Buffer.from(JSON.stringify(statement)).toString('base64');
  const bundle = {
    dsseEnvelope: { payload, signatures: [{ keyid, sig: 'AA==' }] },
    verificationMaterial: { tlogEntries: [{ integratedTime: '1704067200' }] },
  };
  const predicateType = 'https://slsa.dev/provenance/v1';
  origin.serve(path, { body: { attestations: [{ predicateType, bundle }] } });
  return { attestations: { url: `${origin.url}${path}`, provenance: { predicateType } } };
};

/**
 * Writes a module to preload into npm, which stands in for Sigstore's repository on the internet: it has no keys of this
 * registry, and no authorities. Without any answer of that repository, npm verifies nothing. Returns the path.
 */
export const writeSigstoreStandIn = (folder: string): string => {
  const path = join(folder, 'sigstore.cjs');
  writeFileSync(
    path,
    `const Module = require('node:module');
    const load = Module._load;
    const refuse = async () => {
      throw Object.assign(new Error('not found'), { code: 'TUF_FIND_TARGET_ERROR' });
    };
    const tuf = { initTUF: async () => ({ getTarget: refuse }), getTrustedRoot: refuse };
    Module._load = (name, ...rest) => (name === '@sigstore/tuf' ? tuf : load(name, ...rest));
    `,
  );
  return path;
};
