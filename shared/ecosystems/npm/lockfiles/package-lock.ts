import { UnreadableDependencyFileError } from '../../lockfiles/dependency-file.ts';
import type { Contents, FormatReader } from '../../lockfiles/format-reader.ts';
import { parseJsonTree } from '../../lockfiles/syntax/json.ts';
import { findAt, membersAt, textAt } from '../../lockfiles/syntax/syntax-node.ts';
import { readNestedLock } from './package-lock-1.ts';
import { readPackagesLock } from './package-lock-2.ts';

const refuse = (fault: string): UnreadableDependencyFileError =>
  new UnreadableDependencyFileError(
    `${fault} Write it with npm 6 to 12: npm install --package-lock-only`,
  );

const read = (text: string): Contents => {
  const lock = parseJsonTree(text);
  const version = textAt(lock, 'lockfileVersion');
  // Lockfiles of very old npm releases have no version.
  if (version !== undefined && !/^[123]$/.test(version)) {
    throw refuse(`Its lockfileVersion is ${version}; 1, 2 and 3 are read.`);
  }
  if (membersAt(lock, 'packages').size > 0) return readPackagesLock(lock);
  if (version === undefined && !findAt(lock, 'dependencies') && !findAt(lock, 'packages')) {
    throw refuse('It has no packages and no lockfileVersion.');
  }
  return readNestedLock(lock);
};

export const packageLock: FormatReader = {
  format: 'package-lock.json',
  named: /(?:^|\/)(?:package-lock|npm-shrinkwrap)\.json$/,
  read,
};
