/** One operation of a history, on one object. */
export interface Operation<State> {
  /** Places in the order of all beginnings and ends; the end of what nobody heard of is `Infinity`. */
  readonly began: number;
  readonly ended: number;
  /** How often it can have happened in its time: exactly once; once or never; any number of times. */
  readonly times: 'once' | 'perhaps' | 'any';
  /** The state that it leaves, with the outcome that was seen; undefined where it cannot have had that in this state. */
  readonly apply: (state: State) => State | undefined;
}

/** What has happened so far, in one order of several that are possible. */
interface Prefix<State> {
  /** A bit for each operation. */
  readonly done: bigint;
  /** The latest beginning of them: what ended before it can come no more. */
  readonly now: number;
  readonly state: State;
}

const bitOf = (at: number): bigint => 1n << BigInt(at);

/**
 * Whether there is an order of the operations that a sequential object could have gone through, in which each happened
 * between its beginning and its end (Wing and Gong 1993; no prefix is tried twice, as in Lowe 2017).
 */
export const isLinearizable = <State>(
  history: readonly Operation<State>[],
  initial: State,
): boolean => {
  const operations = history.toSorted((one, other) => one.ended - other.ended);
  const required = operations.reduce(
    (bits, { times }, at) => (times === 'once' ? bits | bitOf(at) : bits),
    0n,
  );
  const tried = new Set<string>();
  const prefixes: Prefix<State>[] = [{ done: 0n, now: -1, state: initial }];
  for (let prefix = prefixes.pop(); prefix; prefix = prefixes.pop()) {
    const { done, now, state } = prefix;
    if ((done & required) === required) return true;
    const key = `${done} ${now} ${JSON.stringify(state)}`;
    if (tried.has(key)) continue;
    tried.add(key);
    // What has ended before another began happened before it.
    const next = operations.findIndex(
      ({ times }, at) => times === 'once' && (done & bitOf(at)) === 0n,
    );
    const until = operations[next]?.ended ?? Number.POSITIVE_INFINITY;
    const following = operations.flatMap(({ began, ended, times, apply }, at) => {
      const isPossible = (done & bitOf(at)) === 0n && began < until && ended > now;
      const after = isPossible ? apply(state) : undefined;
      if (after === undefined) return [];
      const bit = times === 'any' ? 0n : bitOf(at);
      return [{ done: done | bit, now: Math.max(now, began), state: after }];
    });
    prefixes.push(...following.reverse());
  }
  return false;
};
