import { areTokensRequired, readTokensSecretArn } from '../../api/settings/env.ts';
import { logEvent } from '../../util/log.ts';
import { createTokenLoader, type LoadEvent } from './token-loader.ts';
import { createSecretReader } from './token-secret.ts';

/** A list is read again every minute: what is wrong with it is said once, and again when it changes. */
let lastReport = '';

const reportLoad = (event: LoadEvent): void => {
  if (event.kind === 'failed') {
    logEvent('error', 'token_list_not_loaded', { error: event.error });
    return;
  }
  const { tokens: count, malformed, short } = event;
  // Said each time, so that an alarm lasts as long as the state does.
  if (count === 0 && !areTokensRequired()) logEvent('warn', 'authentication_off', {});
  const report = JSON.stringify({ malformed, short });
  if (report === lastReport) return;
  lastReport = report;
  if (malformed.length > 0) logEvent('warn', 'token_entries_malformed', { positions: malformed });
  if (short.length > 0) logEvent('warn', 'tokens_short', { positions: short });
};

/** The token list of this function instance. */
export const tokens = createTokenLoader({
  fetchValue: createSecretReader(readTokensSecretArn()),
  now: Date.now,
  report: reportLoad,
});
