import { toKey, type VersionId } from '../address/version-id.ts';
import { createStore, useStore } from '../state/store.ts';
import { applyChanges, type Outcome, type OutcomeChange, type Outcomes } from './outcome.ts';

const outcomes = createStore<Outcomes>(new Map());

/**
 * Updates the outcomes of some versions, with one rendering for all. Adds `news`, and replaces the other given fields.
 */
export const updateOutcomes = (changes: readonly OutcomeChange[]): void => {
  if (changes.length === 0) return;
  outcomes.set((before) => applyChanges(before, changes));
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
