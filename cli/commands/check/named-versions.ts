import { existsSync } from 'node:fs';
import { readPurl } from '../../../shared/domain/packages/purl.ts';
import { type Ecosystem, ecosystems } from '../../../shared/ecosystems/ecosystem.ts';
import { findDependencyFormat } from '../../../shared/ecosystems/parse-dependency-file.ts';
import type { UsedVersion } from '../../../shared/use-cases/dependency-check/findings.ts';
import { UsageError } from '../../input/usage-error.ts';
import { readPackageText } from '../../many/package-text.ts';
import { readVersionText } from '../../many/read-packages.ts';

/** The arguments of a check: versions that are named, and paths. */
export interface CheckArguments {
  readonly versions: readonly UsedVersion[];
  readonly paths: readonly string[];
}

const hasPrefix = (text: string): boolean =>
  /^pkg:/i.test(text) || ecosystems.some((ecosystem) => text.startsWith(`${ecosystem}:`));

/** Returns whether an argument names a package, and not a path. A path that exists is a path. */
const isPackage = (text: string): boolean => {
  if (text === '-' || existsSync(text)) return false;
  if (hasPrefix(text)) return true;
  if (/^\.{0,2}[/\\]/.test(text) || findDependencyFormat(text)) return false;
  return readPackageText(text)?.version !== undefined;
};

const isRange = (version: string): boolean => /^[~^<>=*]|\s|\|\|/.test(version);

/** @throws {UsageError} for a package without a version, or with a range */
const requireVersion = (text: string): void => {
  const typed = /^pkg:/i.test(text) ? readPurl(text) : readPackageText(text);
  if (typed?.version !== undefined && isRange(typed.version)) {
    const name = text.slice(0, text.lastIndexOf('@'));
    throw new UsageError(
      `${text} is a range. Name one version; registry approved ${name} lists the approved ones.`,
    );
  }
  if (!typed || typed.version !== undefined) return;
  throw new UsageError(
    `${text} names no version. Add it, such as ${text}@1.0.0, or list the approved versions: registry approved ${text}`,
  );
};

/**
 * Splits the arguments of a check into package versions, such as `npm:lodash@4.17.21`, and paths.
 * @param ecosystem the ecosystem of versions without one
 * @throws {UsageError} for a package without a version, or of an unknown ecosystem
 */
export const splitArguments = (given: readonly string[], ecosystem?: Ecosystem): CheckArguments => {
  const packages = given.filter(isPackage);
  for (const text of packages) requireVersion(text);
  return {
    versions: packages.map((text) => ({
      dependency: readVersionText(text, ecosystem),
      places: [],
    })),
    paths: given.filter((text) => !packages.includes(text)),
  };
};
