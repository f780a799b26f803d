import blueOak from '@blueoak/list/index.json' with { type: 'json' };
import currentIds from 'spdx-license-ids/index.json' with { type: 'json' };
import spdxList from 'spdx-license-list/spdx.json' with { type: 'json' };
import type { LicenseCategory } from './category.ts';
import { type ReviewedFamily, reviewedFamilies } from './reviewed-licenses.ts';

/** Facts that many licenses share: [category, requires attribution, allows commercial use]. */
export type FactsProfile = readonly [
  category: LicenseCategory,
  requiresAttribution: boolean | null,
  allowsCommercial: boolean | null,
];

/** Facts of one license: [title, or 0 if SPDX's list has none; index of its profile]. */
export type FactsRow = readonly [title: string | 0, profile: number];

const spdx: Readonly<Record<string, { readonly name: string; readonly osiApproved: boolean }>> =
  spdxList;

const reviewed = new Map<string, ReviewedFamily>(
  reviewedFamilies.flatMap((family) => family.ids.split(' ').map((id) => [id, family])),
);

const listRatedIds = (isRated: (rating: string) => boolean): Set<string> =>
  new Set(
    blueOak
      .filter(({ name }) => isRated(name))
      .flatMap(({ licenses }) => licenses.map(({ id }) => id)),
  );

/** Licenses in https://blueoakcouncil.org/list. Each permits use in any kind of work, and requires at most notices. */
const permissive = listRatedIds(() => true);
/** Licenses above Blue Oak's last rank, which lacks essential elements. */
const wellFormed = listRatedIds((rating) => rating !== 'Lead');

const trueOrNull = (known: boolean): true | null => (known ? true : null);

/**
 * Returns facts from published lists. Every open source license allows commercial use: https://opensource.org/osd,
 * criterion 6.
 */
const findPublishedFacts = (id: string) => ({
  category: permissive.has(id) ? ('permissive' as const) : ('unknown' as const),
  requires_attribution: trueOrNull(wellFormed.has(id)),
  allows_commercial: trueOrNull(wellFormed.has(id) || spdx[id]?.osiApproved === true),
});

const findProfile = (id: string): FactsProfile => {
  const facts = reviewed.get(id) ?? findPublishedFacts(id);
  return [facts.category, facts.requires_attribution, facts.allows_commercial];
};

const profileKeys = [...new Set(currentIds.map((id) => JSON.stringify(findProfile(id))))];

const toRow = (id: string): FactsRow => [
  spdx[id]?.name ?? 0,
  profileKeys.indexOf(JSON.stringify(findProfile(id))),
];

const profiles: readonly FactsProfile[] = profileKeys.map((key) => JSON.parse(key));
const rows: readonly FactsRow[] = currentIds.map(toRow);

/**
 * Facts about every current SPDX license, in the order of their identifiers. Computed when functions are bundled, to
 * keep bundles small.
 */
export default { profiles, rows };
