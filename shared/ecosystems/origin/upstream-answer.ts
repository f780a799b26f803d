import type { CollectedFacts, CollectedRelease } from '../../domain/facts/collected-facts.ts';
import { type Facts, noFacts } from '../../domain/facts/facts.ts';
import {
  type AddressField,
  addressFields,
  type ReleaseDetails,
} from '../../domain/facts/release-details.ts';
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
 * Fetches the upstream metadata of a version from the origin of one ecosystem.
 * @throws {UpstreamError} if a request fails or a response is malformed
 */
export type AskFor = (origin: Origin, id: PackageId) => Promise<CollectedRelease>;

/** Raw upstream metadata of a version: values of any type and length, as the origin returns them. */
export interface Statements {
  readonly publishedAt?: unknown;
  /** License texts exactly as the origin returns them. */
  readonly licenses?: readonly string[];
  /** All licenses as one statement; undefined if they do not combine into one statement. */
  readonly license?: string | undefined;
  /** True if the package declares a license; undefined if the origin does not show that. */
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

/** Limits of facts: `licenses` is a number of items, all others are numbers of characters. */
const limits = {
  description: 500,
  address: 2_000,
  deprecated: 1_000,
  licenses: 20,
  licenseLength: 500,
  reason: 500,
} as const;

/** Texts are cut to this many characters before cleaning. It exceeds all limits above. */
const longestText = 10_000;

/**
 * True if the declared licenses are within the limits of facts. An omitted part could hide a condition, and reading
 * unlimited input could take too long.
 */
export const areReadable = (licenses: readonly string[]): boolean =>
  licenses.length <= limits.licenses &&
  licenses.every((license) => license.length <= limits.licenseLength);

/** Returns the text on one line, with single spaces and without invisible characters. */
const cleanText = (text: string, maxLength: number): string => {
  const visible = dropHiddenCharacters(text.slice(0, longestText));
  return cleanLine(visible.trim().replace(/\s+/g, ' '), maxLength);
};

const cleanStatement = (value: unknown, maxLength: number): string | null =>
  typeof value === 'string' ? cleanText(value, maxLength) || null : null;

const cleanWithdrawal = (reason: string | undefined): string | null =>
  reason === undefined ? null : cleanText(reason, limits.deprecated);

/** Returns the time as ISO 8601 in UTC; null if it is invalid or not in the years 1970 to 9999. */
export const cleanTime = (value: unknown): string | null => {
  const time = typeof value === 'string' ? new Date(value) : undefined;
  const year = time?.getUTCFullYear() ?? Number.NaN;
  return time && year >= 1970 && year <= 9999 ? time.toISOString() : null;
};

/** Returns an HTTP or HTTPS URL as a browser normalizes it; null for any other text. */
const cleanAddress = (address: string | undefined): string | null => {
  const url = URL.parse(address?.replace(/^git\+(?=https?:)/, '') ?? '');
  if (!url || !/^https?:$/.test(url.protocol)) return null;
  return url.href.length <= limits.address ? url.href : null;
};

/** Returns undefined for an address above the length limit: a shortened address would point to another page. */
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
 * Returns a declared license on one line: the text itself or, if the text is too long, its SPDX expression. The length
 * limit of submitted licenses applies, so that a lookup costs no more. Undefined if the license is unreadable.
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

/** Distinguishes a package without a declared license from a package with an unreadable license. */
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

/** Returns a version of an ecosystem; null for any other value. */
export const cleanVersion = (ecosystem: Ecosystem, value: unknown): string | null =>
  typeof value === 'string' && isPackageVersion(ecosystem, value) ? value : null;

/** Returns the facts of a version that the origin has, within the limits and without invisible characters. */
export const toFoundFacts = (ecosystem: Ecosystem, statements: Statements): Facts => ({
  found: 'yes',
  reason: null,
  name_found: true,
  published_at: cleanTime(statements.publishedAt),
  licenses_declared: cleanLicenses(statements.licenses ?? []),
  ...readDeclaration(statements),
  description: cleanStatement(statements.description, limits.description),
  homepage: cleanAddress(toHomepage(cutAddress(statements.homepage))),
  repository: cleanAddress(toRepository(cutAddress(statements.repository))),
  deprecated: cleanWithdrawal(statements.deprecated),
  yanked: cleanWithdrawal(statements.yanked),
  install_scripts: statements.installScripts ?? null,
  provenance: statements.provenance ?? null,
  newest_version: cleanVersion(ecosystem, statements.newestVersion),
});

/** Returns the addresses that upstream shows, and that facts lack since they are no web addresses. */
export const listUnreadable = (
  statements: Pick<Statements, AddressField>,
  facts: Facts,
): Pick<ReleaseDetails, 'unreadable'> => {
  const isGiven = (value: unknown) => value !== undefined && value !== null && value !== '';
  const unreadable = addressFields.filter(
    (field) => facts[field] === null && isGiven(statements[field]),
  );
  return unreadable.length > 0 ? { unreadable } : {};
};

/** Returns the reason of an outcome, within the limits and without invisible characters. */
export const cleanReason = (reason: string): string => cleanText(reason, limits.reason);

/** Returns the facts for a package that the origin has without the requested version. */
export const refuseMissingVersion = (
  ecosystem: Ecosystem,
  reason: string,
  newestVersion?: unknown,
): CollectedFacts => ({
  facts: {
    ...noFacts,
    found: 'no',
    reason: cleanReason(reason),
    name_found: true,
    newest_version: cleanVersion(ecosystem, newestVersion),
  },
  manifest: null,
});

/** Returns the facts for a package name that the origin does not have. */
export const refuseMissingName = (reason: string): CollectedFacts => ({
  facts: { ...noFacts, found: 'no', reason: cleanReason(reason), name_found: false },
  manifest: null,
});

/** Returns the facts of a version whose upstream fetch failed. */
export const toUnknownFacts = (reason: string): Facts => ({
  ...noFacts,
  found: 'unknown',
  reason: cleanReason(reason),
});
