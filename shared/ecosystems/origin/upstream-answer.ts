import type { CollectedFacts } from '../../domain/facts/collected-facts.ts';
import { type Facts, noFacts } from '../../domain/facts/facts.ts';
import { readLicense } from '../../domain/licenses/normalize/normalize-expression.ts';
import { isReadableLicense, longestLicense } from '../../domain/licenses/readable-license.ts';
import type { PackageId } from '../../domain/packages/package-id.ts';
import { isPackageVersion } from '../../domain/packages/package-version.ts';
import { cleanLine } from '../../domain/vulnerabilities/finding.ts';
import {
  dropHiddenCharacters,
  findHiddenFault,
  hasControlCharacters,
} from '../../util/characters.ts';
import type { Ecosystem } from '../ecosystem.ts';
import { toHomepage, toRepository } from '../manifest/addresses.ts';
import type { Origin } from './origin-http.ts';

/**
 * Asks the origin of one ecosystem for a version.
 * @throws {AskError} where it cannot be asked, or answers nonsense
 */
export type AskFor = (origin: Origin, id: PackageId) => Promise<CollectedFacts>;

/** What an origin says of a version that it has, as it says it: of any type and length. */
export interface Statements {
  readonly publishedAt?: unknown;
  /** As they stand there. */
  readonly licenses?: readonly string[];
  /** All of them as one statement; undefined where they cannot be put into one. */
  readonly license?: string | undefined;
  /** Whether the package declares any license; undefined where the origin does not show that. */
  readonly declaresLicense?: boolean | undefined;
  readonly description?: unknown;
  readonly homepage?: unknown;
  readonly repository?: unknown;
  readonly deprecated?: string | undefined;
  readonly yanked?: string | undefined;
  readonly installScripts?: readonly string[] | undefined;
  readonly provenance?: boolean | undefined;
  readonly newestVersion?: unknown;
}

/** What facts hold at most, in characters and in number. */
const limits = {
  description: 500,
  address: 2_000,
  deprecated: 1_000,
  licenses: 20,
  licenseLength: 500,
  reason: 500,
} as const;

/** Longer than any text that is kept; what is huge is cut before it is cleaned. */
const longestText = 10_000;

/**
 * Whether what is declared is within what is kept of it. To leave a part of it out might say less than it does, and to
 * read all of it might take for ever.
 */
export const areReadable = (licenses: readonly string[]): boolean =>
  licenses.length <= limits.licenses &&
  licenses.every((license) => license.length <= limits.licenseLength);

/** One line, with single blanks, without anything that readers would not see. */
const cleanText = (text: string, maxLength: number): string => {
  const visible = dropHiddenCharacters(text.slice(0, longestText));
  return cleanLine(visible.trim().replace(/\s+/g, ' '), maxLength);
};

const cleanStatement = (value: unknown, maxLength: number): string | null =>
  typeof value === 'string' ? cleanText(value, maxLength) || null : null;

const cleanReason = (reason: string | undefined): string | null =>
  reason === undefined ? null : cleanText(reason, limits.deprecated);

/** ISO 8601 in UTC, of a year that people can write. */
const cleanTime = (value: unknown): string | null => {
  const time = typeof value === 'string' ? new Date(value) : undefined;
  const year = time?.getUTCFullYear() ?? Number.NaN;
  return time && year >= 1970 && year <= 9999 ? time.toISOString() : null;
};

/** An address of http(s) alone, as a browser takes it. */
const cleanAddress = (address: string | undefined): string | null => {
  const url = URL.parse(address?.replace(/^git\+(?=https?:)/, '') ?? '');
  if (!url || !/^https?:$/.test(url.protocol)) return null;
  return url.href.length <= limits.address ? url.href : null;
};

/** Half an address leads elsewhere, and none is so long. */
const cutAddress = (value: unknown): string | undefined =>
  typeof value === 'string' && value.length <= limits.address ? value.trim() : undefined;

const cleanLicenses = (licenses: readonly string[]): string[] => {
  const lines = licenses
    .slice(0, limits.licenses)
    .map((license) => cleanText(license, limits.licenseLength));
  return [...new Set(lines)].filter((line) => line !== '');
};

type Declaration = Pick<Facts, 'license' | 'license_declaration' | 'license_statement'>;

const undeclared = (license_declaration: 'none' | 'unknown' | 'unreadable'): Declaration => ({
  license: null,
  license_declaration,
  license_statement: null,
});

/**
 * Returns a declared license as one line that is at most as long as a submitted one, so that looking it up costs as
 * little: the text itself, or its SPDX expression where that is shorter. Undefined where it is unreadable.
 */
const toLicenseStatement = (license: string): string | undefined => {
  const text = license.trim().replace(/\s+/g, ' ');
  const isVisible = !findHiddenFault(text) && !hasControlCharacters(text);
  if (!isVisible || !isReadableLicense(text)) return undefined;
  return (
    [text, readLicense(text)].find((one) => one !== null && one.length <= longestLicense) ??
    undefined
  );
};

/** Tells a package that declares no license from one whose license cannot be read. */
const readDeclaration = ({ declaresLicense, license }: Statements): Declaration => {
  if (declaresLicense === undefined) return undeclared('unknown');
  if (!declaresLicense) return undeclared('none');
  const statement = license === undefined ? undefined : toLicenseStatement(license);
  if (statement === undefined) return undeclared('unreadable');
  return {
    license: readLicense(statement),
    license_declaration: 'readable',
    license_statement: statement,
  };
};

const cleanVersion = (ecosystem: Ecosystem, value: unknown): string | null =>
  typeof value === 'string' && isPackageVersion(ecosystem, value) ? value : null;

/** The facts of a version that its origin has, within bounds and in clean characters. */
export const tellFound = (ecosystem: Ecosystem, told: Statements): Facts => ({
  found: 'yes',
  reason: null,
  name_found: true,
  published_at: cleanTime(told.publishedAt),
  licenses_declared: cleanLicenses(told.licenses ?? []),
  ...readDeclaration(told),
  description: cleanStatement(told.description, limits.description),
  homepage: cleanAddress(toHomepage(cutAddress(told.homepage))),
  repository: cleanAddress(toRepository(cutAddress(told.repository))),
  deprecated: cleanReason(told.deprecated),
  yanked: cleanReason(told.yanked),
  install_scripts: told.installScripts ?? null,
  provenance: told.provenance ?? null,
  newest_version: cleanVersion(ecosystem, told.newestVersion),
});

/** The name is at the origin, and the version is not. */
export const refuseMissingVersion = (
  ecosystem: Ecosystem,
  reason: string,
  newestVersion?: unknown,
): CollectedFacts => ({
  facts: {
    ...noFacts,
    found: 'no',
    reason: cleanText(reason, limits.reason),
    name_found: true,
    newest_version: cleanVersion(ecosystem, newestVersion),
  },
  manifest: null,
});

/** The origin does not even know the name. */
export const refuseMissingName = (reason: string): CollectedFacts => ({
  facts: { ...noFacts, found: 'no', reason: cleanText(reason, limits.reason), name_found: false },
  manifest: null,
});

/** The facts of a version whose origin could not be asked. */
export const tellUnknown = (reason: string): Facts => ({
  ...noFacts,
  found: 'unknown',
  reason: cleanText(reason, limits.reason),
});
