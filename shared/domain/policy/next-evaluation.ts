import { dropMilliseconds } from '../../util/drop-milliseconds.ts';
import type { FactsSummary } from '../facts/summary.ts';
import type { Freeze } from '../review/freeze.ts';
import type { AwaitedCheck } from './readiness.ts';

/**
 * When the rules evaluate a pending version again: it then reaches a minimum age, or the evidence for an approval is renewed
 * first.
 */
export interface NextEvaluation {
  /** ISO 8601. */
  readonly at: string;
  /** Name of the rule. */
  readonly rule: string;
}

/** Result of the last policy evaluation of a pending version, and its upstream metadata. */
interface Evaluated {
  readonly held_by: string | null;
  readonly next_evaluation: NextEvaluation | null;
  /** Rule that would have approved the version, but for a freeze. */
  readonly frozen_rule?: string | null;
  readonly facts?: Pick<FactsSummary, 'found' | 'published_at'> | null;
}

/** Without a publication date, no rule with a minimum age ever matches. */
const isUndated = ({ facts }: Evaluated): boolean =>
  facts?.found === 'yes' && facts.published_at === null;

const awaitedWords: Readonly<Record<AwaitedCheck, string>> = {
  facts: 'upstream metadata',
  scan: 'scan',
};

/** Names automatic checks: `upstream metadata and scan`. */
export const describeAwaited = (awaited: readonly AwaitedCheck[]): string =>
  awaited.map((wait) => awaitedWords[wait]).join(' and ');

/**
 * Describes what a pending version waits for, as the end of a sentence: `waits until 2026-11-30 for its age (rule age)`.
 * @param awaited automatic checks that have not finished; no rule evaluates the version before their end
 * @param freeze the freeze in force, during which rules approve nothing
 */
export const describeWait = (
  evaluated: Evaluated,
  {
    awaited = [],
    freeze,
  }: { readonly awaited?: readonly AwaitedCheck[]; readonly freeze: Freeze | undefined },
): string => {
  const { held_by, next_evaluation, frozen_rule } = evaluated;
  if (awaited.length > 0) return `waits for its ${describeAwaited(awaited)}`;
  if (freeze && frozen_rule)
    return `waits until the freeze of ${dropMilliseconds(freeze.since)} is lifted (rule ${frozen_rule})`;
  const undated = isUndated(evaluated) ? ', and its publication date is unknown' : '';
  const review = held_by ? `needs manual review (rule ${held_by})` : `waits for review${undated}`;
  if (!next_evaluation) return review;
  const { at, rule } = next_evaluation;
  const age = `until ${at.slice(0, 10)} for its age (rule ${rule})`;
  return held_by ? `${review}, or waits ${age}` : `waits ${age}`;
};
