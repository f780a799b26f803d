import { findKnownLicense } from './catalogue.ts';
import type { LicenseCategory } from './category.ts';
import { applyException, hasUnknownAddition } from './exceptions.ts';
import { formatLicense, type LicenseTerm } from './expression.ts';
import type { HeldLicense } from './held-license.ts';
import { parseTerm } from './parse-license.ts';

/** What a license is, whatever anyone thinks of it. What is not known of it is null. */
export interface LicenseFacts {
  name: string;
  title: string | null;
  category: LicenseCategory;
  requires_attribution: boolean | null;
  allows_commercial: boolean | null;
  url: string | null;
}

/** What is known of a license to which something unknown was added. */
const unknownTerms = {
  category: 'unknown',
  requires_attribution: null,
  allows_commercial: null,
} as const;

/** Finds what SPDX knows of a license, with its exception where it has one; undefined if it does not know the license. */
export const findKnownFacts = (term: LicenseTerm): LicenseFacts | undefined => {
  const facts = findKnownLicense(term.license);
  if (!facts || term.exception === undefined) return facts;
  return {
    ...facts,
    name: formatLicense(term),
    title: `${facts.title} with ${term.exception}`,
    category: applyException(facts.category, term.exception),
    ...(hasUnknownAddition(term) && unknownTerms),
  };
};

/** Finds what a held license is: one of the organisation's own says so itself, any other is what SPDX knows of it. */
export const findFacts = ({ name, category, own }: HeldLicense): LicenseFacts => {
  const term = own ? undefined : parseTerm(name);
  const known = term && findKnownFacts(term);
  return {
    name,
    title: known?.title ?? own?.title ?? null,
    category,
    requires_attribution: known?.requires_attribution ?? own?.requires_attribution ?? null,
    allows_commercial: known?.allows_commercial ?? own?.allows_commercial ?? null,
    url: known?.url ?? own?.url ?? null,
  };
};
