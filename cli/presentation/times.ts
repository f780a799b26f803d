/** Formats a time in UTC to the second: `2026-01-31T12:00:00Z`. */
export const toSeconds = (at: string): string => at.replace(/\.\d+Z$/, 'Z');
