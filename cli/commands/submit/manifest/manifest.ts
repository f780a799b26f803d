import { existsSync, statSync } from 'node:fs';
import { basename, join } from 'node:path';
import { readTextFile } from '../../../input/files.ts';
import { UsageError } from '../../../input/usage-error.ts';
import { dropEmpty } from './drop-empty.ts';
import type { ManifestFields } from './manifest-fields.ts';
import { readPackageJson } from './package-json.ts';
import { readPom } from './pom.ts';
import { readPyproject } from './pyproject.ts';

type Reader = (text: string) => ManifestFields;

const readers: Readonly<Record<string, Reader>> = {
  'package.json': readPackageJson,
  'pyproject.toml': readPyproject,
  'pom.xml': readPom,
};

const names = Object.keys(readers);

/** Returns the manifest at a path: the file itself, or the only manifest in a folder. */
const findManifest = (path: string): string => {
  if (!existsSync(path)) throw new UsageError(`${path} does not exist.`);
  if (!statSync(path).isDirectory()) return path;
  const [found, ...others] = names.filter((name) => existsSync(join(path, name)));
  if (found === undefined)
    throw new UsageError(`${path} has no ${names.join(', ')}. Name a manifest or its folder.`);
  if (others.length === 0) return join(path, found);
  const all = [found, ...others].join(' and ');
  throw new UsageError(`${path} has ${all}. Name one, such as --from ${join(path, found)}`);
};

const chooseReader = (file: string): Reader => {
  const name = file.endsWith('.pom') ? 'pom.xml' : basename(file);
  const reader = names.includes(name) ? readers[name] : undefined;
  if (reader) return reader;
  throw new UsageError(`${file} is no known manifest: give ${names.join(', ')}.`);
};

/**
 * Reads the manifest of a package.
 * @throws {UsageError} if there is no manifest, or it cannot be read
 */
export const readManifest = (path: string): ManifestFields => {
  const file = findManifest(path);
  const read = chooseReader(file);
  const text = readTextFile(file);
  try {
    return dropEmpty(read(text));
  } catch (error) {
    throw new UsageError(`${file} cannot be read: ${(error as Error).message.split('\n')[0]}`);
  }
};
