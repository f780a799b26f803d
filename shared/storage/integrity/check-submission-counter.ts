import type { PackageItem } from '../packages/package-item.ts';
import {
  readNewestSequenceNumber,
  setNewestSequenceNumber,
} from '../packages/submission-counter.ts';
import { parseSequenceNumber } from '../packages/version-keys.ts';
import { type Check, type CheckContext, makeProblem, transactIfUnchanged } from './check.ts';

/**
 * Returns the check of the submission counter, which draws sequence numbers. `explain` returns the flaw of a counter,
 * if any.
 */
const checkSubmissionCounter = (
  highest: number,
  explain: (counter: number | undefined) => string | undefined,
  { deadline }: CheckContext,
): Check => ({
  subject: 'the submission counter',
  examine: async () => {
    const counter = await readNewestSequenceNumber();
    const flaw = explain(counter);
    if (flaw === undefined) return [];
    const example = `the submission counter is ${flaw}`;
    return [
      makeProblem({ kind: 'wrong_counter', example, counted: 'once' }, () =>
        transactIfUnchanged([setNewestSequenceNumber(highest, counter)], deadline),
      ),
    ];
  },
});

/**
 * Returns the check that the submission counter is a number, and not behind these versions: it would draw their
 * numbers again.
 */
export const checkCounterBehind = (
  versions: readonly PackageItem[],
  context: CheckContext,
): Check => {
  const highest = Math.max(0, ...versions.map(({ sequence }) => parseSequenceNumber(sequence)));
  const explain = (counter: number | undefined) => {
    if (counter === undefined) return 'no number';
    return counter < highest ? 'behind the versions' : undefined;
  };
  return checkSubmissionCounter(highest, explain, context);
};

/**
 * Returns the check that the submission counter is not far ahead of the last version. New versions would be far from
 * all others, and each search would read one more shard for them.
 */
export const checkCounterAhead = (highest: number, context: CheckContext): Check => {
  const limit = highest + 2 ** context.layout.searchShardBits;
  const explain = (counter = 0) => (counter > limit ? 'far ahead of the versions' : undefined);
  return checkSubmissionCounter(highest, explain, context);
};
