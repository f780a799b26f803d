import { existsSync, readFileSync, statSync } from 'node:fs';
import { basename, join } from 'node:path';
import type * as z from 'zod';
import type { Submission } from '../../shared/schemas/submission.ts';
import { withoutMark } from '../byte-order-mark.ts';
import { UsageError } from '../usage-error.ts';
import { submissionOfPackageJson } from './package-json.ts';
import { submissionOfPom } from './pom.ts';
import { submissionOfPyproject } from './pyproject.ts';
import { said } from './values.ts';

/** What a manifest says of a submission; fields that it leaves open are undefined. */
export type ManifestFields = {
  readonly [K in keyof z.input<typeof Submission>]?: string | undefined;
};

type Reader = (text: string) => ManifestFields;

const readers: Readonly<Record<string, Reader>> = {
  'package.json': submissionOfPackageJson,
  'pyproject.toml': submissionOfPyproject,
  'pom.xml': submissionOfPom,
};

const names = Object.keys(readers);

/** The manifest that a path means: itself, or the only one in a folder. */
const manifestAt = (path: string): string => {
  if (!existsSync(path)) throw new UsageError(`${path} does not exist.`);
  if (!statSync(path).isDirectory()) return path;
  const [found, ...others] = names.filter((name) => existsSync(join(path, name)));
  if (found === undefined) throw new UsageError(`${path} holds none of ${names.join(', ')}.`);
  if (others.length === 0) return join(path, found);
  const all = [found, ...others].join(' and ');
  throw new UsageError(`${path} holds ${all}: say which, such as --from ${join(path, found)}`);
};

const readerOf = (file: string): Reader => {
  const name = file.endsWith('.pom') ? 'pom.xml' : basename(file);
  const reader = names.includes(name) ? readers[name] : undefined;
  if (reader) return reader;
  throw new UsageError(`${file} is none of ${names.join(', ')}.`);
};

/**
 * Reads what a package says of itself.
 * @throws {UsageError} if there is no manifest or it cannot be read
 */
export const readManifest = (path: string): ManifestFields => {
  const file = manifestAt(path);
  const reader = readerOf(file);
  try {
    return said(reader(withoutMark(readFileSync(file, 'utf8'))));
  } catch (error) {
    throw new UsageError(`${file} cannot be read: ${(error as Error).message.split('\n')[0]}`);
  }
};
