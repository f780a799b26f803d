import { dayMs } from '../../util/duration.ts';

/**
 * Milliseconds after which a publication is settled. An attack can publish several versions in a row, so that comparisons prefer
 * an earlier version that is settled at the publication of the later one.
 */
export const settledMs = 7 * dayMs;
