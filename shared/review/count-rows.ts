import type { AcceptanceAnswer } from '../schemas/acceptance.ts';

/** How many versions it is about, or at least is. */
export type AffectsCount = Pick<AcceptanceAnswer, 'affects' | 'affects_at_least'>;

const rowsAtATime = 500;

/** As many as a request has time to read. */
const mostCounted = 10_000;

/** Counts rows that are listed a page at a time, each behind the last row of the one before, as far as to 10,000. */
export const countRows = async <Row>(
  listPage: (page: {
    readonly after: Row | undefined;
    readonly count: number;
  }) => Promise<readonly Row[]>,
): Promise<AffectsCount> => {
  let affects = 0;
  let after: Row | undefined;
  while (affects < mostCounted) {
    const rows = await listPage({ after, count: rowsAtATime });
    affects += rows.length;
    if (rows.length < rowsAtATime) return { affects, affects_at_least: false };
    after = rows.at(-1);
  }
  return { affects, affects_at_least: true };
};
