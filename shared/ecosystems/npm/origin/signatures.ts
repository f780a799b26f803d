import { createPublicKey, type KeyObject, verify } from 'node:crypto';
import type { Manifest } from '../../../domain/facts/manifest.ts';
import type { SignatureStatus } from '../../../domain/facts/provenance.ts';
import type { PackageId } from '../../../domain/packages/package-id.ts';
import { readAt, readTextAt } from '../../../util/json.ts';
import { explainNonsense, type Origin, readJson } from '../../origin/origin-http.ts';
import { cleanTime } from '../../origin/upstream-answer.ts';
import { keysPath } from '../registry-paths.ts';

/** Public key with which the registry upstream signs versions. */
export interface SigningKey {
  readonly id: string;
  readonly key: KeyObject;
  /** ISO 8601 in UTC; null for a key without expiry date. */
  readonly expires: string | null;
}

const maxKeysBytes = 256 * 1024;
const mostKeys = 50;
const mostSignatures = 10;

/** Returns a P-256 key of the list; undefined for any other key. */
const readKey = (entry: unknown): SigningKey | undefined => {
  const id = readTextAt(entry, 'keyid');
  const der = Buffer.from(readTextAt(entry, 'key') ?? '', 'base64');
  try {
    const key = createPublicKey({ key: der, format: 'der', type: 'spki' });
    const isKnown = key.asymmetricKeyDetails?.namedCurve === 'prime256v1';
    return id && isKnown ? { id, key, expires: cleanTime(readAt(entry, 'expires')) } : undefined;
  } catch {
    // Node throws for a text that is no key.
    return undefined;
  }
};

/**
 * Fetches the keys with which a registry signs versions; none if it has no such list.
 * @throws {UpstreamError} if the request fails or the response is malformed
 */
export const fetchSigningKeys = async ({ ask, host }: Origin): Promise<readonly SigningKey[]> => {
  const answer = await ask({
    ...{ path: keysPath, accept: 'application/json', maxBytes: maxKeysBytes },
  });
  if (!answer) return [];
  const keys = readAt(readJson(host, answer), 'keys');
  if (!Array.isArray(keys)) throw explainNonsense(host, answer);
  return keys.slice(0, mostKeys).flatMap((entry) => readKey(entry) ?? []);
};

interface SignedVersion {
  readonly id: PackageId;
  readonly manifest: Manifest | null;
  /** ISO 8601 in UTC; null if unknown. */
  readonly publishedAt: string | null;
}

/** Returns the signatures of a version; undefined if upstream shows none. */
const listSignatures = (manifest: Manifest | null): readonly unknown[] | undefined => {
  const signatures =
    manifest?.kind === 'npm' ? readAt(manifest.version, 'dist', 'signatures') : undefined;
  return Array.isArray(signatures) ? signatures.slice(0, mostSignatures) : undefined;
};

/** True if a version of npm has signatures to check. */
export const hasSignatures = (manifest: Manifest | null): boolean =>
  (listSignatures(manifest)?.length ?? 0) > 0;

/** Returns the result of one signature; null if its key or the publication date of the version is unknown. */
const checkSignature = (
  signature: unknown,
  message: Buffer,
  keys: readonly SigningKey[],
  publishedAt: string | null,
): SignatureStatus | null => {
  const found = keys.find(({ id }) => id === readTextAt(signature, 'keyid'));
  if (!found) return null;
  const { key, expires } = found;
  const bytes = Buffer.from(readTextAt(signature, 'sig') ?? '', 'base64');
  if (!verify('sha256', message, key, bytes)) return 'invalid';
  if (expires === null) return 'verified';
  if (publishedAt === null) return null;
  // An expired key may be in other hands by now. It counts for versions of its time.
  return publishedAt < expires ? 'verified' : 'invalid';
};

/**
 * Returns the result for the registry signatures of an npm version, over `name@version:integrity`. Null if upstream shows none,
 * or if a key is unknown.
 */
export const checkSignatures = (
  { id, manifest, publishedAt }: SignedVersion,
  keys: readonly SigningKey[],
): SignatureStatus | null => {
  const signatures = listSignatures(manifest);
  if (!signatures || manifest?.kind !== 'npm') return null;
  const { version } = manifest;
  const integrity = readTextAt(version, 'dist', 'integrity');
  const number = readTextAt(version, 'version') ?? id.version;
  const message = Buffer.from(`${id.name}@${number}:${integrity}`);
  const results = signatures.map((one) => checkSignature(one, message, keys, publishedAt));
  if (results.length === 0) return 'none';
  if (integrity === undefined) return null;
  return (['invalid', 'verified'] as const).find((status) => results.includes(status)) ?? null;
};
