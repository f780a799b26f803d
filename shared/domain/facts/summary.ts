import type { Facts } from './facts.ts';

/** The short of what a version's origin says, which decisions and rules work with. */
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
  /** Names the facts in full: the same for the same ones, whatever is the newest version. */
  readonly digest: string;
  /** Whether something runs by itself where the version is installed; null where that is not known. */
  readonly install_scripts: boolean | null;
  /**
   * Whether its origin has other files by now than those that were approved, or has it at all where it did not have it;
   * until somebody decides on that.
   */
  readonly republished?: true;
  /** When the origin was asked last, ISO 8601. */
  readonly asked_at: string;
}

/** The publisher's reason is kept in full beside. */
const maxReasonLength = 200;

const shorten = (reason: string | null): string | null =>
  reason !== null && reason.length > maxReasonLength
    ? `${reason.slice(0, maxReasonLength - 1)}…`
    : reason;

/** The short of some facts, under the digest by which they are kept. */
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
  asked_at: askedAt.toISOString(),
});

/** What is left of it once somebody decided, who has seen that the files are others. */
export const forgetRepublished = (facts: FactsSummary | null): FactsSummary | null => {
  if (!facts) return null;
  const { republished: _, ...rest } = facts;
  return rest;
};

/** What the publisher has taken back of a version, or advises against, if anything. */
export interface Withdrawal {
  readonly deprecated: boolean;
  readonly yanked: boolean;
}

export const noWithdrawal: Withdrawal = { deprecated: false, yanked: false };

export const findWithdrawal = (facts: FactsSummary | null): Withdrawal =>
  facts === null
    ? noWithdrawal
    : { deprecated: facts.deprecated !== null, yanked: facts.yanked !== null };

/** What a publisher did, with the reason that it gives, if any. */
export const describeWithdrawal = (what: string, reason: string | null | undefined): string => {
  const given = reason?.trim() ?? '';
  return given === '' ? `Its publisher ${what}.` : `Its publisher ${what}: ${given}`;
};
