import type { Attempt, ClientOptions } from '../../shared/api/client/client.ts';
import type { Progress } from '../output/progress.ts';
import { eraseLine, type Output } from '../output/terminal.ts';
import { measureWidth, shorten, toOneLine } from '../output/text.ts';
import type { Settings } from './settings.ts';

/** How often whoever watches is told, and when for the first time. */
const intervalMs = 1000;

/**
 * Tells on a terminal what is waited for, once that takes longer than a second: on one line, which goes as soon as the
 * answer is there. A command that shows its progress says so itself, but for the fault of what is asked again.
 */
export const tellWaiting = (
  url: string,
  err: Output,
  { isShown }: Pick<Progress, 'isShown'>,
): Pick<ClientOptions, 'onCall' | 'onWait'> => {
  if (!err.isTerminal) return {};
  const { host } = new URL(url);
  let [pending, began, isTold, fault] = [0, 0, false, ''];
  let timer: NodeJS.Timeout | undefined;
  const tell = (): void => {
    // The line says then how far the command is, and for how long.
    if (fault === '' && isShown()) return;
    isTold = true;
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
    timer = setInterval(tell, intervalMs);
  };
  const end = (): void => {
    pending -= 1;
    if (pending > 0) return;
    clearInterval(timer);
    if (isTold) err.write(eraseLine);
    [isTold, fault] = [false, ''];
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

/** Tells of every request, and before the first where the settings came from. Of the token it says only that there is one. */
export const tellRequests = (
  { url, token }: Settings,
  err: Output,
): Pick<ClientOptions, 'onAttempt'> => {
  // It stands in the place of what is waited for.
  const start = err.isTerminal ? eraseLine : '';
  const tell = (text: string): void =>
    err.write(`${start}${err.style('dim', `debug: ${toOneLine(text)}`)}\n`);
  const given = token ? `token ******** from ${token.source}` : 'no token';
  tell(`${url.value} from ${url.source}, ${given}`);
  return { onAttempt: (attempt) => tell(describeAttempt(attempt)) };
};
