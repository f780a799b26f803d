import { isTooMuchToRead } from '../../storage/dynamodb/read-budget.ts';
import type { ListedPage, ListedRow } from './walk-reviews.ts';

/** Maximum number of review states that one request reads. */
export const mostStates = 500;

/** Versions of one step: their review states take one call. */
export const versionsAStep = 50;

/** Read units of the largest review state, read with eventual consistency. */
export const largestState = 10;

/** Read units of a step besides those of review states: rows and licenses. */
export const otherUnits = 150;

/** Rows whose review states one call reads. */
export interface Step {
  readonly rows: readonly ListedRow[];
  /** Cursors of these rows, and of rows that match no query of this request. */
  readonly cursors: readonly string[];
  readonly hasMore: boolean;
}

/** How a request divides a list into steps. */
interface StepOptions {
  /** Most versions of the first step. */
  readonly first: number;
  /** True if the review state of a row is needed. */
  readonly isWanted: (row: ListedRow) => boolean;
  /** True if no later row can match. */
  readonly isPast: (row: ListedRow) => boolean;
}

/** Yields the rows of a list that may match, in steps. */
export async function* toSteps(
  pages: AsyncIterable<ListedPage>,
  { first, isWanted, isPast }: StepOptions,
): AsyncGenerator<Step> {
  let size = first;
  for await (const page of pages) {
    let rows: ListedRow[] = [];
    let cursors: string[] = [];
    for (const [at, row] of page.rows.entries()) {
      if (isPast(row)) {
        yield { rows, cursors, hasMore: false };
        return;
      }
      cursors.push(row.cursor);
      if (isWanted(row)) rows.push(row);
      if (rows.length === size && at < page.rows.length - 1) {
        yield { rows, cursors, hasMore: true };
        // A filter may leave out many rows: later steps are whole.
        [rows, cursors, size] = [[], [], versionsAStep];
      }
    }
    yield { rows, cursors, hasMore: page.hasMore };
    size = versionsAStep;
  }
}

/** Returns undefined if the work exceeds the read budget, and an earlier step gives the request a result. */
export const tryStep = async <T>(
  work: () => Promise<T>,
  isFirst: boolean,
): Promise<T | undefined> => {
  try {
    return await work();
  } catch (error) {
    // Licenses may differ in size: without this, a request from the step before would be refused again and again.
    if (!isFirst && isTooMuchToRead(error)) return undefined;
    throw error;
  }
};
