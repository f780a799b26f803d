import type { RequestError } from '../../shared/api/client/request-error.ts';
import type { Status } from '../../shared/domain/review/status.ts';
import { toKey, type VersionId } from '../address/address.ts';
import { createStore, useStore } from '../state/store.ts';
import type { Action } from './actions.ts';

/** How far a decision is: held for an undo, being sent, looked up because its answer was lost, or not made yet. */
export type Stage = 'held' | 'sending' | 'checking' | 'unsent';

/** What became of a version since it was listed: by a decision made here, or by somebody else. */
export interface Outcome {
  readonly id: VersionId;
  /** Where it stands since; undefined while that did not change. */
  readonly status?: Status | undefined;
  readonly by?: string | null | undefined;
  /** When it was decided, ISO 8601, as its record says. */
  readonly at?: string | null | undefined;
  /** The decision that is under way. */
  readonly doing?: { readonly action: Action; readonly stage: Stage } | undefined;
  /** Why that was refused, the registry's own sentence, and what it was. */
  readonly refused?: Refusal | undefined;
  /** The decision that was made here last. */
  readonly made?: Action | undefined;
  /** Counts what is worth looking at anew. */
  readonly news: number;
}

interface Refusal {
  readonly action: Action;
  readonly error: RequestError;
  /** Whether somebody has read it. */
  readonly isRead?: boolean;
}

type Outcomes = ReadonlyMap<string, Outcome>;

const outcomes = createStore<Outcomes>(new Map());

/** Notes what became of a version; `news` is added, every other field takes the place of what was known. */
export const updateOutcome = (
  { ecosystem, name, version }: VersionId,
  { news = 0, ...changed }: Partial<Omit<Outcome, 'id'>>,
): void =>
  outcomes.set((before) => {
    const id = { ecosystem, name, version };
    const key = toKey(id);
    const known = before.get(key) ?? { id, news: 0 };
    return new Map(before).set(key, { ...known, ...changed, news: known.news + news });
  });

/** Notes that every refusal was read. */
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

/** Returns whether a decision on the version is under way, and nothing else can be decided. */
export const isUnderWay = (outcome: Outcome | undefined): boolean =>
  outcome?.doing !== undefined && outcome.doing.stage !== 'unsent';

/** Returns what became of a version, as far as this page knows. */
export const findOutcome = (id: VersionId): Outcome | undefined => outcomes.get().get(toKey(id));

/** Returns whether anything became of the version with this key since it was listed, or is being tried. */
export const hasOutcome = (key: string): boolean => outcomes.get().has(key);

export const useOutcomes = (): Outcomes => useStore(outcomes);

export const useOutcome = (id: VersionId): Outcome | undefined => useOutcomes().get(toKey(id));
