import { createHash } from 'node:crypto';
import { basename, resolve } from 'node:path';
import { type PackageId, toVersionKey } from '../../../shared/domain/packages/package-id.ts';

/** Characters that a batch's name has no place for. */
const others = /[^A-Za-z0-9._-]+/g;

const maxFolderLength = 60;
const digestLength = 8;

/**
 * Returns the name of a project's batch: its folder, and a digest of all its versions. The same versions have the same name,
 * so that an interrupted command can resume.
 */
export const nameBatch = (versions: readonly PackageId[], folder = '.'): string => {
  const name = basename(resolve(folder)).replaceAll(others, '-').slice(0, maxFolderLength);
  const keys = versions.map(toVersionKey).sort();
  const digest = createHash('sha256').update(JSON.stringify(keys)).digest('hex');
  return `${/^[A-Za-z0-9]/.test(name) ? name : `project${name}`}-${digest.slice(0, digestLength)}`;
};
