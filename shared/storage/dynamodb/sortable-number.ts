const width = 8;

/**
 * Returns a number as fixed-width text for a sort key, so that text order is number order. Supports numbers below 100
 * million.
 */
export const formatSortableNumber = (number: number): string => String(number).padStart(width, '0');
