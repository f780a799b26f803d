import currentIds from 'spdx-license-ids/index.json' with { type: 'json' };
import type { LicenseCategory } from './category.ts';
import facts, { type FactsRow } from './facts.build.ts';
import { findCurrentLicense } from './license-id.ts';
import { unlistedLicenses } from './unlisted-licenses.ts';

/** Published facts about a license, independent of the organisation's decisions. Null means unknown. */
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

/** All current SPDX licenses, in SPDX's order. */
export const spdxLicenses: readonly KnownLicense[] = currentIds.map((name, at) =>
  readFacts(name, facts.rows[at] ?? [0, -1]),
);

/** All licenses that the registry knows: SPDX's, then well-known licenses without an SPDX identifier. */
export const knownLicenses: readonly KnownLicense[] = [...spdxLicenses, ...unlistedLicenses];

let byName: ReadonlyMap<string, KnownLicense> | undefined;

const indexFacts = (): ReadonlyMap<string, KnownLicense> => {
  byName ??= new Map(knownLicenses.map((license) => [license.name.toLowerCase(), license]));
  return byName;
};

/**
 * Returns the known license of an identifier, in any case. A deprecated identifier returns its successor. `X+` returns
 * X, since a recipient can always choose that version. Returns undefined for unknown names and for expressions.
 */
export const findKnownLicense = (name: string): KnownLicense | undefined => {
  const current = findCurrentLicense(name) ?? name;
  return indexFacts().get(current.replace(/\+$/, '').toLowerCase());
};
