import type { RequestError } from '../../shared/api/client/request-error.ts';
import type { Status } from '../../shared/domain/review/status.ts';
import { toKey, type VersionId } from '../address/version-id.ts';
import type { Action } from './actions.ts';

/** The stage of a decision: held for an undo, behind another request, being sent, checked after a lost answer, or not made yet. */
export type Stage = 'held' | 'queued' | 'sending' | 'checking' | 'unsent';

/** The changes of a version since it was listed, by a decision on this page or by somebody else. */
export interface Outcome {
  readonly id: VersionId;
  /** The new status; undefined if it has not changed. */
  readonly status?: Status | undefined;
  readonly by?: string | null | undefined;
  /** When the decision was made, ISO 8601. */
  readonly at?: string | null | undefined;
  /** The decision in progress. */
  readonly doing?: { readonly action: Action; readonly stage: Stage } | undefined;
  /** The last refusal. */
  readonly refused?: Refusal | undefined;
  /** The last decision on this page. */
  readonly made?: Action | undefined;
  /** Counts the changes after which the evidence is loaded again. */
  readonly news: number;
}

/** A refused decision. */
interface Refusal {
  readonly action: Action;
  readonly error: RequestError;
  /** True if the user dismissed the notice. */
  readonly isRead?: boolean;
}

/** The outcomes of versions, by their keys. */
export type Outcomes = ReadonlyMap<string, Outcome>;

/** A change of the outcome of a version. */
export type OutcomeChange = Partial<Outcome> & { readonly id: VersionId };

/** Returns outcomes with some changes, in their order. Each adds its `news`, and replaces the other given fields. */
export const applyChanges = (before: Outcomes, changes: readonly OutcomeChange[]): Outcomes => {
  // One copy for all: with one for each version, thousands of decisions would take minutes.
  const after = new Map(before);
  for (const { id, news = 0, ...changed } of changes) {
    const { ecosystem, name, version } = id;
    const key = toKey(id);
    const known = after.get(key) ?? { id: { ecosystem, name, version }, news: 0 };
    after.set(key, { ...known, ...changed, news: known.news + news });
  }
  return after;
};
