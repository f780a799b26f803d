import { findKnownLicense } from './catalogue.ts';
import type { LicenseCategory } from './category.ts';
import { applyException, hasUnknownAddition } from './exceptions.ts';
import { formatLicense, type LicenseTerm } from './expression.ts';
import type { HeldLicense } from './held-license.ts';
import { parseTerm } from './parse-license.ts';

/** Facts about a license, independent of the organisation's decisions. Null means unknown. */
export interface LicenseFacts {
  name: string;
  title: string | null;
  category: LicenseCategory;
  requires_attribution: boolean | null;
  allows_commercial: boolean | null;
  url: string | null;
}

/** Facts of a license with an unknown exception. */
const unknownTerms = {
  category: 'unknown',
  requires_attribution: null,
  allows_commercial: null,
} as const;

/**
 * Returns the published facts about a license, including its exception. Returns undefined if the license is unknown.
 */
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

/** Returns the facts about a stored license: its own facts if the organisation defined it, otherwise SPDX's. */
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
