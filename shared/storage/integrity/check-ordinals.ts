import type { PackageItem } from '../packages/package-item.ts';
import {
  readNewestSequenceNumber,
  setNewestSequenceNumber,
} from '../packages/submission-counter.ts';
import { parseSequenceNumber } from '../packages/version-keys.ts';
import type { CheckContext } from './tally.ts';
import { transactUnlessChanged } from './transact-unless-changed.ts';

const setCounter = async (
  { to, known, example }: { to: number; known: number | undefined; example: string },
  { tally, repair, deadline }: CheckContext,
): Promise<void> => {
  const isNew = tally.findOnce('wrong_counter', example);
  if (!repair) return;
  const isSet = await transactUnlessChanged([setNewestSequenceNumber(to, known)], deadline);
  if (isSet && isNew) tally.repair(1);
};

/** Finds a counter of ordinals that is none, or behind these versions: it would draw places that are taken. */
export const raiseSequenceCounter = async (
  versions: readonly PackageItem[],
  context: CheckContext,
): Promise<void> => {
  const highest = Math.max(0, ...versions.map(({ ordinal }) => parseSequenceNumber(ordinal)));
  const known = await readNewestSequenceNumber();
  if (known !== undefined && known >= highest) return;
  const example =
    known === undefined
      ? 'the ordinal counter is no number'
      : 'the ordinal counter is behind the versions';
  await setCounter({ to: highest, known, example }, context);
};

/**
 * Finds a counter of ordinals that is further ahead of the last version than draws in vain explain: new versions would
 * stand apart from all others, and each search would have to look for them in one more shard.
 */
export const lowerSequenceCounter = async (
  highest: number,
  context: CheckContext,
): Promise<void> => {
  const known = await readNewestSequenceNumber();
  if (known === undefined || known <= highest + 2 ** context.layout.searchShardBits) return;
  const example = 'the ordinal counter is far ahead of the versions';
  await setCounter({ to: highest, known, example }, context);
};
