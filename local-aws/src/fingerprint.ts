/** Tells whether what something is made of has changed. */
import { createHash } from 'node:crypto';
import { readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';

const ignored = ['node_modules', '.git'];

/** Every file of a folder, or the file itself, in an order that is always the same. */
const listFiles = (path: string): string[] => {
  const found = statSync(path, { throwIfNoEntry: false });
  if (found === undefined) return [];
  if (!found.isDirectory()) return [path];
  return readdirSync(path)
    .filter((name) => !ignored.includes(name))
    .sort()
    .flatMap((name) => listFiles(join(path, name)));
};

/** A digest of what the files hold and are called, and of the given facts. */
export const makeFingerprint = (paths: readonly string[], facts: unknown): string => {
  const hash = createHash('sha256').update(JSON.stringify(facts));
  for (const file of paths.flatMap(listFiles)) {
    const content = readFileSync(file);
    hash.update(JSON.stringify([file, content.length])).update(content);
  }
  return hash.digest('hex');
};
