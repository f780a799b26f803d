import { groupBy } from '../../shared/util/group-by.ts';
import { formatCount } from './text.ts';

/** Counts things by their kind, in the order of the first of each kind. */
export const countBy = <Thing>(
  things: readonly Thing[],
  toKind: (thing: Thing) => string,
): readonly (readonly [kind: string, count: number])[] =>
  [...groupBy(things, toKind)].map(([kind, some]) => [kind, some.length]);

/** Formats counts in one line, such as `2 approved, 1,000 rejected`. */
export const formatTally = (counts: Iterable<readonly [kind: string, count: number]>): string =>
  [...counts].map(([kind, count]) => `${formatCount(count)} ${kind}`).join(', ');

/** Returns the sentence `1 of 3 was refused.` */
export const formatRefused = (refused: number, total: number): string =>
  `${formatCount(refused)} of ${formatCount(total)} ${refused === 1 ? 'was' : 'were'} refused.`;
