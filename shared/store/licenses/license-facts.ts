import { findSpdxLicense } from '../../domain/licenses/catalogue.ts';
import { effectiveCategory, hasUnknownAddition } from '../../domain/licenses/exceptions.ts';
import { formatLicense, type LicenseTerm, parseTerm } from '../../domain/licenses/expression.ts';
import type { LicenseListItem } from '../../schemas/license.ts';
import type { LicenseItem } from './license-items.ts';

/** What a license is, whatever anyone thinks of it. */
export type LicenseFacts = Omit<LicenseListItem, 'status'>;

/** What is known of a license to which something unknown was added. */
const unknownTerms = {
  category: 'unknown',
  requires_attribution: null,
  allows_commercial: null,
} as const;

/** What SPDX knows of a license, with its exception where it has one; undefined if it does not know the license. */
export const spdxFacts = (term: LicenseTerm): LicenseFacts | undefined => {
  const facts = findSpdxLicense(term.license);
  if (!facts || term.exception === undefined) return facts;
  return {
    ...facts,
    name: formatLicense(term),
    title: `${facts.title} with ${term.exception}`,
    category: effectiveCategory(facts.category, term.exception),
    ...(hasUnknownAddition(term) && unknownTerms),
  };
};

/** A license of the organisation's own says itself what it is; any other is what SPDX knows of it. */
export const factsOf = ({ name, category, own }: LicenseItem): LicenseFacts => {
  const term = own ? undefined : parseTerm(name);
  const known = term && spdxFacts(term);
  return {
    name,
    title: known?.title ?? own?.title ?? null,
    category,
    requires_attribution: known?.requires_attribution ?? own?.requires_attribution ?? null,
    allows_commercial: known?.allows_commercial ?? own?.allows_commercial ?? null,
    url: known?.url ?? own?.url ?? null,
  };
};
