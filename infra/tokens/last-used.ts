import { queryRequestLog } from '../log-query.ts';

/** Days of the request log that are searched. */
export const searchedDays = 30;

const query =
  'filter event = "request" and ispresent(token_fingerprint) | stats max(@timestamp) as last_used by token_fingerprint | limit 10000';

/**
 * Finds in the request log of a deployment when each token was last used, by its fingerprint. Tokens without a request in
 * the searched days are missing.
 * @throws {Error} in one sentence, if AWS refuses the query or does not complete it
 */
export const findLastUses = async (stack: string): Promise<ReadonlyMap<string, string>> => {
  const rows = await queryRequestLog(stack, { query, days: searchedDays });
  return new Map(rows.map((row) => [row['token_fingerprint'] ?? '', row['last_used'] ?? '']));
};
