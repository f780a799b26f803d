import type { Ecosystem } from '../../ecosystems/ecosystem.ts';
import type { FactsSummary } from '../facts/summary.ts';
import type { Freeze } from '../review/freeze.ts';
import type { Status } from '../review/status.ts';
import type { ScanSource } from '../vulnerabilities/scan-source.ts';
import type { NextEvaluation } from './next-evaluation.ts';
import { listAwaitedByRules, type OwnInquiries, waits } from './readiness.ts';

/**
 * What a pending version may wait for: upstream metadata, a scan, an evaluation by rules, the age that a rule requires, or a
 * decision by a person. During a freeze, a version that a rule would approve waits for the end of the freeze.
 */
export const reviewWaits = [...waits, 'rules', 'freeze', 'review'] as const;
export type ReviewWait = (typeof reviewWaits)[number];

/** Automatic checks that a version may wait for, and the freeze in force. */
export interface ReviewMoment {
  readonly inquiries: OwnInquiries;
  readonly freeze: Freeze | undefined;
}

/** Result of the rules for a version, and what a pending version waits for. */
export interface ReviewProgress {
  /** Rule that decided, that requires a manual review, or that waits for the age or the end of a freeze; null if there is none. */
  readonly rule: string | null;
  /** Empty for a decided version. */
  readonly waits_for: ReviewWait[];
  /** When the version reaches the age that the rule requires, ISO 8601; null if it waits for no age. */
  readonly waits_until: string | null;
}

/** Fields of a review state that show the progress of a review. */
interface Reviewed {
  readonly revision: number;
  readonly evidence_revision: number;
  readonly evaluated_revision: number | null;
  readonly held_by: string | null;
  readonly next_evaluation: NextEvaluation | null;
  readonly frozen_rule?: string | null;
  readonly rule: string | null;
  readonly facts: FactsSummary | null;
  readonly sources: readonly ScanSource[];
}

const listPendingWaits = (
  head: Reviewed & { readonly ecosystem: Ecosystem },
  { inquiries, freeze }: ReviewMoment,
): ReviewWait[] => {
  // After an expired approval, people decide.
  if (head.revision > 0) return ['review'];
  const awaited = listAwaitedByRules(head, inquiries);
  if (awaited.length > 0) return awaited;
  if (head.evaluated_revision !== head.evidence_revision) return ['rules'];
  // The lift of a freeze requests an evaluation.
  if (head.frozen_rule) return freeze ? ['freeze'] : ['rules'];
  const age = head.next_evaluation ? (['age'] as const) : [];
  return head.held_by !== null || age.length === 0 ? ['review', ...age] : [...age];
};

/**
 * Returns the result of the rules for a version, and what it waits for. Without deployed rules, a pending version waits for
 * `rules` all the time.
 */
export const findReviewProgress = (
  { status, ...head }: Reviewed & { readonly ecosystem: Ecosystem; readonly status: Status },
  moment: ReviewMoment,
): ReviewProgress => {
  if (status !== 'pending') return { rule: head.rule, waits_for: [], waits_until: null };
  const waits_for = listPendingWaits(head, moment);
  const isEvaluated = waits_for.some((wait) => ['review', 'age', 'freeze'].includes(wait));
  const { held_by, next_evaluation, frozen_rule } = head;
  if (!isEvaluated || head.revision > 0) return { rule: null, waits_for, waits_until: null };
  return {
    rule: held_by ?? next_evaluation?.rule ?? frozen_rule ?? null,
    waits_for,
    waits_until: next_evaluation?.at ?? null,
  };
};
