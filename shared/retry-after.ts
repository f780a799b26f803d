/** How long a `Retry-After` header asks to wait: seconds or a date (RFC 9110). Undefined if it is absent or neither. */
export const retryAfterMs = (header: string | null): number | undefined => {
  if (header === null || header.trim() === '') return undefined;
  const seconds = Number(header);
  const ms = Number.isNaN(seconds) ? Date.parse(header) - Date.now() : seconds * 1000;
  return Number.isFinite(ms) ? Math.max(0, ms) : undefined;
};
