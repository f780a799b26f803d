/** Stores private keys, in memory or in a JSON file that only its owner may read. */
import { createPrivateKey, generateKeyPairSync, type KeyObject } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import * as z from 'zod';
import { replacePrivateFile } from '../private-file.ts';
import type { SigningKey } from '../template/model.ts';

/** Private key of a signing key of the template. */
export interface StoredKey extends SigningKey {
  readonly privateKey: KeyObject;
}

/** Private keys as PEM, by logical id. */
const fileSchema = z.record(z.string(), z.string());

const readKeys = async (path: string): Promise<Record<string, string>> => {
  try {
    return fileSchema.parse(JSON.parse(await readFile(path, 'utf8')));
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return {};
    throw new Error(`${path} cannot be read as the file of signing keys`, { cause: error });
  }
};

const generatePem = (): string =>
  generateKeyPairSync('ec', {
    namedCurve: 'P-256',
    privateKeyEncoding: { type: 'pkcs8', format: 'pem' },
    publicKeyEncoding: { type: 'spki', format: 'pem' },
  }).privateKey;

/**
 * Returns the private key of each signing key of the template, and generates missing ones. A key that the template lost
 * stays in the file, as a retained key stays in the account.
 * @param path JSON file, or undefined to keep the keys in memory only
 */
export const openKeyStore = async (
  path: string | undefined,
  keys: readonly SigningKey[],
): Promise<readonly StoredKey[]> => {
  const known = path === undefined ? {} : await readKeys(path);
  const missing = keys.filter(({ id }) => known[id] === undefined);
  const all = { ...known, ...Object.fromEntries(missing.map(({ id }) => [id, generatePem()])) };
  if (path !== undefined && missing.length > 0) {
    await replacePrivateFile(path, JSON.stringify(all, null, 2));
  }
  return keys.map((key) => ({ ...key, privateKey: createPrivateKey(all[key.id] ?? '') }));
};
