import { areTokensRequired, readTokensSecretArn } from '../../api/settings/env.ts';
import { isNearlyFull, maxListBytes } from '../../domain/tokens/list-size.ts';
import { logEvent } from '../../util/log.ts';
import { createTokenLoader, type LoadEvent } from './token-loader.ts';
import { readSecret } from './token-secret.ts';

/** Last logged faults of the list. The list is fetched every minute, but faults are logged only when they change. */
let lastReport = '';

const reportLoad = (event: LoadEvent): void => {
  if (event.kind === 'failed') {
    logEvent('error', 'token_list_not_loaded', { error: event.error });
    return;
  }
  const { tokens: count, malformed, short, bytes } = event;
  // Logged on each load, so that the alarm lasts as long as the state.
  if (!areTokensRequired() && count === 0) logEvent('warn', 'authentication_off', {});
  const nearlyFull = isNearlyFull(bytes);
  const report = JSON.stringify({ malformed, short, bytes: nearlyFull ? bytes : undefined });
  if (report === lastReport) return;
  lastReport = report;
  if (malformed.length > 0) logEvent('warn', 'token_entries_malformed', { positions: malformed });
  if (short.length > 0) logEvent('warn', 'tokens_short', { positions: short });
  if (nearlyFull) logEvent('warn', 'token_list_nearly_full', { bytes, limit: maxListBytes });
};

/** Token list of this function instance. */
export const tokens = createTokenLoader({
  // Read on use: a function without protected requests has no token list.
  fetchValue: () => readSecret(readTokensSecretArn()),
  now: Date.now,
  report: reportLoad,
});
