import type { Attempt, ClientOptions } from '../../shared/api/client/client.ts';
import type { Progress } from '../output/progress.ts';
import { eraseLine, type Output } from '../output/terminal.ts';
import { measureWidth, shorten, toOneLine } from '../output/text.ts';
import { type Credential, findCredential } from './credentials.ts';
import type { Settings } from './settings.ts';

/** The interval of the waiting line, and the delay before the first one. */
const intervalMs = 1000;

/** Retries within this time are too quick to be worth a line. */
const quietMs = 5000;

/** Writes a line for each retry of a slow request, as a log would otherwise be silent for minutes. At most one line a second. */
const logSlowRetries = (err: Output): Pick<ClientOptions, 'onCall' | 'onWait'> => {
  let [began, written] = [0, 0];
  return {
    onCall: () => {
      began = Date.now();
    },
    onWait: ({ after }) => {
      const now = Date.now();
      // Several requests may wait for the same registry.
      if (now - began < quietMs || now - written < intervalMs) return;
      written = now;
      err.write(`${toOneLine(after.detail)} Trying again.\n`);
    },
  };
};

/**
 * Shows a waiting line on a terminal if an answer takes longer than a second, and erases it with the answer. A command
 * with its own progress shows only the faults of retries here. Elsewhere, each retry of a slow request is one line.
 */
export const showWaiting = (
  url: string,
  err: Output,
  { isShown }: Pick<Progress, 'isShown'>,
): Pick<ClientOptions, 'onCall' | 'onWait'> => {
  const { host } = new URL(url);
  if (!err.isTerminal) return logSlowRetries(err);
  let [pending, began, isWritten, fault] = [0, 0, false, ''];
  let timer: NodeJS.Timeout | undefined;
  const show = (): void => {
    // The progress line shows the time already.
    if (fault === '' && isShown()) return;
    isWritten = true;
    const seconds = Math.round((Date.now() - began) / 1000);
    const rest = fault ? ` Trying again, ${seconds} s` : `, ${seconds} s`;
    // A line that the terminal breaks could not be erased.
    const what = shorten(fault || `Waiting for ${host}`, err.width - 1 - measureWidth(rest));
    err.write(`${eraseLine}${err.style('dim', `${what}${rest}`)}`);
  };
  const begin = (): void => {
    pending += 1;
    if (pending > 1) return;
    began = Date.now();
    timer = setInterval(show, intervalMs);
  };
  const end = (): void => {
    pending -= 1;
    if (pending > 0) return;
    clearInterval(timer);
    if (isWritten) err.write(eraseLine);
    [isWritten, fault] = [false, ''];
  };
  return {
    onCall: (call) => {
      begin();
      call.then(end, end);
    },
    onWait: ({ after }) => {
      fault = toOneLine(after.detail);
    },
  };
};

const describeAttempt = ({ method, url, status, ms, requestId, code }: Attempt): string => {
  const { pathname, search } = new URL(url);
  return [
    ...[method, `${pathname}${search}`, status ?? 'no answer', `${Math.round(ms)} ms`],
    ...(code === null ? [] : [code]),
    ...(requestId === null ? [] : [`request ${requestId}`]),
  ].join(' ');
};

const describeMasked = (credential: Credential | undefined): string => {
  if (!credential) return 'no token';
  if (credential.kind === 'job') return credential.source;
  const what = credential.kind === 'token' ? 'token' : 'ID token';
  return `${what} ******** from ${credential.source}`;
};

/** Logs every request, and first the source of the settings. The token is masked. */
export const logRequests = (
  { url, credentials }: Settings,
  err: Output,
): Pick<ClientOptions, 'onAttempt'> => {
  // Replaces the waiting line.
  const start = err.isTerminal ? eraseLine : '';
  const log = (text: string): void =>
    err.write(`${start}${err.style('dim', `debug: ${toOneLine(text)}`)}\n`);
  log(`${url.value} from ${url.source}, ${describeMasked(findCredential(credentials))}`);
  return { onAttempt: (attempt) => log(describeAttempt(attempt)) };
};
