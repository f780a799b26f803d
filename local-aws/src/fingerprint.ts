/** Detects changes in the inputs of a build. */
import { createHash } from 'node:crypto';
import { readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';

const ignored = ['node_modules', '.git'];

/** Returns every file of a folder in a stable order, or the file itself. Skips the ignored names. */
const listFiles = (path: string): string[] => {
  const found = statSync(path, { throwIfNoEntry: false });
  if (found === undefined) return [];
  if (!found.isDirectory()) return [path];
  return readdirSync(path)
    .filter((name) => !ignored.includes(name))
    .sort()
    .flatMap((name) => listFiles(join(path, name)));
};

/** Returns a SHA-256 digest, in hex, of the paths and contents of the files and of `facts`. */
export const makeFingerprint = (paths: readonly string[], facts: unknown): string => {
  const hash = createHash('sha256').update(JSON.stringify(facts));
  for (const file of paths.flatMap(listFiles)) {
    const content = readFileSync(file);
    hash.update(JSON.stringify([file, content.length])).update(content);
  }
  return hash.digest('hex');
};
