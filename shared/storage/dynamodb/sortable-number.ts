const width = 8;

/** Returns a number as text of fixed width for a sort key, so that text order is number order. Holds numbers below 100 million. */
export const formatSortableNumber = (number: number): string => String(number).padStart(width, '0');
