import type { LicenseCategory } from './category.ts';
import rows, { type FactsRow } from './facts.build.ts';
import { findCurrentLicense } from './license-id.ts';

/** What is known of an SPDX license, whatever an organisation thinks of it. Null is not known. */
export interface LicenseFacts {
  readonly name: string;
  readonly title: string;
  readonly url: string;
  readonly category: LicenseCategory;
  readonly requires_attribution: boolean | null;
  readonly allows_commercial: boolean | null;
}

const readFacts = ([name, title, category, attribution, commercial]: FactsRow): LicenseFacts => ({
  name,
  title: title ?? name,
  url: `https://spdx.org/licenses/${name}.html`,
  category,
  requires_attribution: attribution,
  allows_commercial: commercial,
});

/** Every current SPDX license, in SPDX's order. */
export const spdxLicenses: readonly LicenseFacts[] = rows.map(readFacts);

let byName: ReadonlyMap<string, LicenseFacts> | undefined;

const indexFacts = (): ReadonlyMap<string, LicenseFacts> => {
  byName ??= new Map(spdxLicenses.map((facts) => [facts.name, facts]));
  return byName;
};

/**
 * The SPDX license of an identifier in any case; a deprecated one answers with its successor, and one with a `+` with
 * its own version, since that can always be chosen. Undefined for expressions, too.
 */
export const findSpdxLicense = (name: string): LicenseFacts | undefined => {
  const current = findCurrentLicense(name);
  return current === undefined ? undefined : indexFacts().get(current.replace(/\+$/, ''));
};
