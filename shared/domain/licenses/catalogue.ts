import currentIds from 'spdx-license-ids/index.json' with { type: 'json' };
import type { LicenseCategory } from './category.ts';
import facts, { type FactsRow } from './facts.build.ts';
import { findCurrentLicense } from './license-id.ts';
import { unlistedLicenses } from './unlisted-licenses.ts';

/** What is known of a license, whatever an organisation thinks of it. Null is not known. */
export interface KnownLicense {
  readonly name: string;
  readonly title: string;
  readonly url: string | null;
  readonly category: LicenseCategory;
  readonly requires_attribution: boolean | null;
  readonly allows_commercial: boolean | null;
}

const readFacts = (name: string, [title, profile]: FactsRow): KnownLicense => {
  const [category, attribution, commercial] = facts.profiles[profile] ?? ['unknown', null, null];
  return {
    name,
    title: title || name,
    url: `https://spdx.org/licenses/${name}.html`,
    category,
    requires_attribution: attribution,
    allows_commercial: commercial,
  };
};

/** Every current SPDX license, in SPDX's order. */
export const spdxLicenses: readonly KnownLicense[] = currentIds.map((name, at) =>
  readFacts(name, facts.rows[at] ?? [0, -1]),
);

/** Every license that the registry knows by itself: SPDX's, then those that have no identifier there. */
export const knownLicenses: readonly KnownLicense[] = [...spdxLicenses, ...unlistedLicenses];

let byName: ReadonlyMap<string, KnownLicense> | undefined;

const indexFacts = (): ReadonlyMap<string, KnownLicense> => {
  byName ??= new Map(knownLicenses.map((license) => [license.name.toLowerCase(), license]));
  return byName;
};

/**
 * The known license of an identifier in any case; a deprecated one answers with its successor, and one with a `+` with
 * its own version, since that can always be chosen. Undefined for expressions, too.
 */
export const findKnownLicense = (name: string): KnownLicense | undefined => {
  const current = findCurrentLicense(name) ?? name;
  return indexFacts().get(current.replace(/\+$/, '').toLowerCase());
};
