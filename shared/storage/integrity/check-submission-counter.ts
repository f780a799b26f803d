import { batchGet } from '../dynamodb/read.ts';
import { type PackageItem, packagesTable } from '../packages/package-item.ts';
import {
  readNewestSequenceNumber,
  setNewestSequenceNumber,
} from '../packages/submission-counter.ts';
import { isSequenceNumber, parseSequenceNumber } from '../packages/version-keys.ts';
import {
  type Check,
  type CheckContext,
  makeProblem,
  pickVersionKey,
  transactIfUnchanged,
} from './check.ts';

/**
 * Returns the check of the submission counter, which draws sequence numbers. `explain` returns the flaw of a counter,
 * if any.
 */
const checkSubmissionCounter = (
  readHighest: (counter: number | undefined) => Promise<number>,
  explain: (counter: number | undefined, highest: number) => string | undefined,
  { deadline }: CheckContext,
): Check => ({
  subject: 'the submission counter',
  examine: async () => {
    const counter = await readNewestSequenceNumber();
    const highest = await readHighest(counter);
    const flaw = explain(counter, highest);
    if (flaw === undefined) return [];
    const example = `the submission counter is ${flaw}`;
    return [
      makeProblem({ kind: 'wrong_counter', example, counted: 'once' }, () =>
        transactIfUnchanged([setNewestSequenceNumber(highest, counter)], deadline),
      ),
    ];
  },
});

const findHighest = (versions: readonly PackageItem[]): number =>
  Math.max(
    0,
    ...versions
      .filter(({ sequence }) => isSequenceNumber(sequence))
      .map(({ sequence }) => parseSequenceNumber(sequence)),
  );

/**
 * Returns the check that the submission counter is a number, and not behind these versions: it would draw their
 * numbers again.
 */
export const checkCounterBehind = (
  versions: readonly PackageItem[],
  context: CheckContext,
): Check => {
  const seen = findHighest(versions);
  const readHighest = async (counter = -1): Promise<number> =>
    // The versions may have other numbers by now.
    seen <= counter
      ? seen
      : findHighest(await batchGet(packagesTable, versions.map(pickVersionKey)));
  // One text for both: a counter without a number becomes one that may be behind the versions of the next page.
  const explain = (counter = -1, highest: number) =>
    counter < highest ? 'behind the versions, or no number' : undefined;
  return checkSubmissionCounter(readHighest, explain, context);
};

/**
 * Returns the check that the submission counter is not far ahead of the last version. New versions would be far from
 * all others, and each search would read one more shard for them.
 */
export const checkCounterAhead = (highest: number, context: CheckContext): Check => {
  const limit = highest + 2 ** context.layout.searchShardBits;
  const explain = (counter = 0) => (counter > limit ? 'far ahead of the versions' : undefined);
  return checkSubmissionCounter(async () => highest, explain, context);
};
