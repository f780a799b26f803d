import type { RequestError } from '../../shared/client/request-error.ts';
import type { Status } from '../../shared/domain/status.ts';
import { toKey, type VersionId } from '../address/address.ts';
import { createStore, useStore } from '../frame/store.ts';

export type Action = 'approve' | 'reject';

/** What became of a version since it was listed: by a decision made here, or by somebody else. */
export interface Outcome {
  /** Where it stands since; undefined while that did not change. */
  readonly status?: Status;
  readonly by?: string | null;
  /** What is being sent. */
  readonly sending?: Action;
  /** Why that was refused, the registry's own sentence, and what it was. */
  readonly refused?: { readonly action: Action; readonly error: RequestError };
  /** Counts what is worth looking at anew. */
  readonly news: number;
}

type Outcomes = ReadonlyMap<string, Outcome>;

const outcomes = createStore<Outcomes>(new Map());

/** Notes what became of a version, in place of what was being tried. */
export const noteOutcome = (id: VersionId, { news = 0, ...outcome }: Partial<Outcome>): void =>
  outcomes.set((before) => {
    const key = toKey(id);
    const known = before.get(key);
    const { sending: _, refused: __, ...kept } = known ?? { news: 0 };
    return new Map(before).set(key, { ...kept, ...outcome, news: kept.news + news });
  });

/** Returns whether anything became of the version with this key since it was listed, or is being tried. */
export const hasOutcome = (key: string): boolean => outcomes.get().has(key);

export const useOutcomes = (): Outcomes => useStore(outcomes);

export const useOutcome = (id: VersionId): Outcome | undefined => useOutcomes().get(toKey(id));
