const compact = new Intl.NumberFormat('en', { notation: 'compact', maximumFractionDigits: 1 });

/** Formats a count with separators: `12,345`. */
export const formatCount = (count: number): string => count.toLocaleString('en');

/** Formats a count for a narrow place: `12.3K`. */
export const shortenCount = (count: number): string => compact.format(count);
