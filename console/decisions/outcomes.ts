import type { RequestError } from '../../shared/api/client/request-error.ts';
import type { Status } from '../../shared/domain/review/status.ts';
import { toKey, type VersionId } from '../address/address.ts';
import { createStore, useStore } from '../state/store.ts';
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

type Outcomes = ReadonlyMap<string, Outcome>;

const outcomes = createStore<Outcomes>(new Map());

/** A change of the outcome of a version. */
export type OutcomeChange = Partial<Outcome> & { readonly id: VersionId };

/**
 * Updates the outcomes of some versions, with one rendering for all. Adds `news`, and replaces the other given fields.
 */
export const updateOutcomes = (changes: readonly OutcomeChange[]): void => {
  if (changes.length === 0) return;
  outcomes.set((before) => {
    // One copy for all: with one for each version, thousands of decisions would take minutes.
    const after = new Map(before);
    for (const { id, news = 0, ...changed } of changes) {
      const { ecosystem, name, version } = id;
      const key = toKey(id);
      const known = after.get(key) ?? { id: { ecosystem, name, version }, news: 0 };
      after.set(key, { ...known, ...changed, news: known.news + news });
    }
    return after;
  });
};

/** Dismisses the notices of all refusals. */
export const dismissRefusals = (): void =>
  outcomes.set(
    (before) =>
      new Map(
        [...before].map(([key, { refused, ...rest }]) => [
          key,
          { ...rest, refused: refused && { ...refused, isRead: true } },
        ]),
      ),
  );

/** Returns true if a decision is in progress, so that no other one can be made. */
export const isUnderWay = (outcome: Outcome | undefined): boolean =>
  outcome?.doing !== undefined && outcome.doing.stage !== 'unsent';

/** Returns the outcome of a version; undefined if this page knows none. */
export const findOutcome = (id: VersionId): Outcome | undefined => outcomes.get().get(toKey(id));

/** Returns true if the version with this key has an outcome. */
export const hasOutcome = (key: string): boolean => outcomes.get().has(key);

/** Returns all outcomes by the key of the version, and renders again when they change. */
export const useOutcomes = (): Outcomes => useStore(outcomes);

/** Returns the outcome of one version, and renders again when it changes. */
export const useOutcome = (id: VersionId): Outcome | undefined => useOutcomes().get(toKey(id));
