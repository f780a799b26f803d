import type { Ecosystem } from '../../ecosystems/ecosystem.ts';
import { dropMilliseconds } from '../../util/drop-milliseconds.ts';

/** Freeze of the registry: until it is lifted, versions published after `before` are refused, and rules approve nothing. */
export interface Freeze {
  /** ISO 8601. */
  readonly before: string;
  readonly reason: string;
  /** Time of the freeze, ISO 8601. */
  readonly since: string;
  readonly by: string | null;
  readonly token_label: string | null;
}

/** Times of a version that a freeze compares. Null or absent if unknown. */
interface FreezeTimes {
  readonly facts: { readonly published_at: string | null } | null;
  readonly approved_at?: string | null;
}

/**
 * True if a freeze refuses a version. The time of an image is that of its approval, because a tag has no publication time.
 * An unknown time counts as after `before`.
 */
export const isFrozen = (
  freeze: Freeze | undefined,
  { ecosystem }: { readonly ecosystem: Ecosystem },
  times: FreezeTimes | undefined,
): freeze is Freeze => {
  if (!freeze) return false;
  const time = ecosystem === 'docker' ? times?.approved_at : times?.facts?.published_at;
  // A comparison with an unreadable time is false.
  return !(Date.parse(time ?? '') <= Date.parse(freeze.before));
};

/** Returns the sentence for refusals of an ecosystem's versions: since when, what and why. */
export const explainFreeze = (
  { before, since, reason }: Freeze,
  { ecosystem }: { readonly ecosystem: Ecosystem },
): string => {
  const what =
    ecosystem === 'docker'
      ? `images approved after ${dropMilliseconds(before)}`
      : `versions published after ${dropMilliseconds(before)} or at an unknown time`;
  return `the registry has been frozen since ${dropMilliseconds(since)} and refuses ${what}: ${reason}`;
};
