import type { Ecosystem } from '../../ecosystems/ecosystem.ts';
import { digest } from '../../util/digest.ts';
import type { RecallAttention } from './bound-recalls.ts';
import type { MalwareRecord } from './match-record.ts';

/** Why the versions of a record are not recalled without a person. */
export const holdReasons = ['bare_range', 'too_many'] as const;
type HoldReason = (typeof holdReasons)[number];

/** Confirmation of a held record by a person. The next run recalls the versions that the record names then. */
export interface RecallConfirmation {
  readonly by: string | null;
  /** ISO 8601. */
  readonly at: string;
  readonly reason: string;
}

/** Record of malware that names approved versions, and that recalls them only after a decision by a person. */
export interface HeldRecall {
  /** ID of the record, such as `MAL-2026-2307`. */
  readonly record: string;
  readonly ecosystem: Ecosystem;
  readonly summary: string | null;
  readonly reasons: readonly HoldReason[];
  /** Number of the versions. */
  readonly versions: number;
  /** Names of the packages, at most `mostHeldNames`. */
  readonly packages: readonly string[];
  /** ISO 8601. */
  readonly held_at: string;
  /** Digest of what the record names: the dismissal of a record does not cover other content. */
  readonly content: string;
  /** Null until a person confirms the record. */
  readonly confirmed: RecallConfirmation | null;
}

/** Most packages of a held record for which rules approve nothing. A record of malware names one package, rarely a few. */
const mostHeldNames = 50;

/** Returns a digest of the packages and versions that a record names. */
export const digestContent = ({ affected }: MalwareRecord): string => digest(affected);

/** Returns the hold of a record, from the versions of one run that it must not recall without a person. */
export const toHeldRecall = (
  record: MalwareRecord,
  [first, ...others]: readonly [RecallAttention, ...RecallAttention[]],
  now: Date,
): HeldRecall => {
  const held = [first, ...others];
  const names = new Set(held.map(({ id }) => id.name));
  return {
    record: record.id,
    ecosystem: first.id.ecosystem,
    summary: record.summary,
    reasons: holdReasons.filter((one) => held.some(({ reason }) => reason === one)),
    versions: held.length,
    packages: [...names].slice(0, mostHeldNames),
    held_at: now.toISOString(),
    content: digestContent(record),
    confirmed: null,
  };
};
