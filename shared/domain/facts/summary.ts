import type { Comparison } from '../changes/change-issues.ts';
import type { Facts } from './facts.ts';
import type { CheckedProvenance } from './provenance.ts';

/** Summary of a version's upstream metadata, for decisions and rules. */
export interface FactsSummary
  extends Pick<
    Facts,
    | 'found'
    | 'name_found'
    | 'published_at'
    | 'license'
    | 'license_declaration'
    | 'license_statement'
    | 'deprecated'
    | 'yanked'
    | 'newest_version'
  > {
  /** Digest of the full metadata without the newest version. */
  readonly digest: string;
  /** True if the version runs scripts at installation; null if unknown. */
  readonly install_scripts: boolean | null;
  /**
   * True if the upstream content changed since the approval, or if a missing version appeared. Cleared by the next
   * decision.
   */
  readonly content_changed?: true;
  /**
   * Time of the first fetch without the version, ISO 8601, if upstream had the version before. Absent while upstream has it.
   */
  readonly gone_since?: string;
  /** Digest of what the package's list upstream says about the version; absent if it does not describe the version. */
  readonly listing?: string | undefined;
  /** Issues found by comparisons with an earlier version and with other names; absent before the first one. */
  readonly comparison?: Comparison | undefined;
  /** Result of the last check of the provenance; absent if it is unknown. */
  readonly provenance?: CheckedProvenance | undefined;
  /** Time of the last fetch, ISO 8601. */
  readonly checked_at: string;
}

/** Maximum length of a publisher's reason. The full metadata contains the whole reason. */
const maxReasonLength = 200;

const shorten = (reason: string | null): string | null =>
  reason !== null && reason.length > maxReasonLength
    ? `${reason.slice(0, maxReasonLength - 1)}…`
    : reason;

/** Returns the summary of upstream metadata that is stored under `digest`. */
export const summarizeFacts = (facts: Facts, digest: string, askedAt: Date): FactsSummary => ({
  digest,
  found: facts.found,
  name_found: facts.name_found,
  published_at: facts.published_at,
  license: facts.license,
  license_declaration: facts.license_declaration,
  license_statement: facts.license_statement,
  deprecated: shorten(facts.deprecated),
  yanked: shorten(facts.yanked),
  install_scripts: facts.install_scripts === null ? null : facts.install_scripts.length > 0,
  newest_version: facts.newest_version,
  checked_at: askedAt.toISOString(),
});

/**
 * Returns the summary of new metadata. A version that upstream has no longer keeps the publication date, by which its age
 * still counts, and its provenance.
 */
export const followFacts = (known: FactsSummary | null, next: FactsSummary): FactsSummary => {
  if (next.found !== 'no' || known === null) return next;
  const since = known.found === 'yes' ? next.checked_at : known.gone_since;
  if (since === undefined) return next;
  const { published_at, provenance } = known;
  return { ...next, published_at, ...(provenance && { provenance }), gone_since: since };
};

/** Returns the summary as evidence of a decision, without the part that only refreshes need. */
export const toFactsEvidence = (facts: FactsSummary | null): FactsSummary | null => {
  if (!facts) return null;
  const { listing: _, ...rest } = facts;
  return rest;
};

/** Returns the summary without `content_changed`, since the decision took the changed content into account. */
export const clearContentChange = (facts: FactsSummary | null): FactsSummary | null => {
  if (!facts) return null;
  const { content_changed: _, ...rest } = facts;
  return rest;
};

/** Whether a version is deprecated, yanked or removed upstream. */
export interface Withdrawal {
  readonly deprecated: boolean;
  readonly yanked: boolean;
  readonly removed: boolean;
}

export const noWithdrawal: Withdrawal = { deprecated: false, yanked: false, removed: false };

export const findWithdrawal = (facts: FactsSummary | null): Withdrawal =>
  facts === null
    ? noWithdrawal
    : {
        deprecated: facts.deprecated !== null,
        yanked: facts.yanked !== null,
        removed: facts.gone_since !== undefined,
      };

/** Returns a message with a publisher's action and its reason, if any. */
export const describeWithdrawal = (what: string, reason: string | null | undefined): string => {
  const given = reason?.trim() ?? '';
  return given === '' ? `Its publisher ${what}.` : `Its publisher ${what}: ${given}`;
};
