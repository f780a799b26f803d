import type { SweepState } from '../../storage/reviews/sweep-state.ts';

/** Pause before the second round; longer than a deployment takes. */
const firstPauseMs = 30 * 60_000;

/** Returns the state to continue from; undefined if no sweep is due. `first` is the place where each round starts. */
export const findSweep = <Place>(
  policy: string,
  first: Place,
  { state, now }: { readonly state: SweepState<Place> | undefined; readonly now: Date },
): SweepState<Place> | undefined => {
  const start = { policy, after: first, round: 1, failed: 0, again_at: null };
  if (state?.policy !== policy) return start;
  if (state.after !== null) return state;
  const isDue = state.again_at !== null && new Date(state.again_at) <= now;
  return isDue ? { ...start, round: state.round + 1 } : undefined;
};

/**
 * Returns the start time of the next round; null if none is needed. During a deployment, functions of the release before
 * may still write behind the first round. Later rounds follow only after failures, each after twice the pause.
 */
const findNextRound = <Place>({ round, failed }: SweepState<Place>, now: Date): string | null =>
  round === 1 || failed > 0
    ? new Date(now.getTime() + firstPauseMs * 2 ** (round - 1)).toISOString()
    : null;

/** Returns the state after some more versions. At the end of a round, `after` is null. */
export const advanceSweep = <Place>(
  state: SweepState<Place>,
  { after, failed }: { readonly after: Place | null; readonly failed: number },
  now: Date,
): SweepState<Place> => {
  const next = { ...state, after, failed: state.failed + failed };
  return after === null ? { ...next, again_at: findNextRound(next, now) } : next;
};
