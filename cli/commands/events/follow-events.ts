import { setTimeout as delay } from 'node:timers/promises';
import { type RegistryClient, RequestError } from '../../../shared/api/client/client.ts';
import type { RouteInput } from '../../../shared/api/client/outgoing.ts';
import type { EventPage } from '../../../shared/api/schemas/event.ts';
import { maxLimit } from '../../../shared/api/schemas/query.ts';
import { exponentialDelay, retry } from '../../../shared/util/retry.ts';
import { exitCodes, toExitCode } from '../../failure/exit-code.ts';
import { UsageError } from '../../input/usage-error.ts';
import { writeRows } from '../../output/result.ts';
import type { Terminal } from '../../output/terminal.ts';
import { toOneLine } from '../../output/text.ts';
import { formatEvent } from '../../presentation/activity.ts';
import type { Session } from '../../session/session.ts';

/** The number of last events to start with, as in `tail`. */
export const lastShown = 10;

const intervalMs = 2000;
const longestDelayMs = 30_000;

const readPage = (
  client: RegistryClient,
  from: { readonly after: number } | { readonly last: number },
): Promise<EventPage> => client.listEvents({ query: { ...from, limit: maxLimit } });

/** Retries until a fault of the registry or the network has passed, with one warning. */
const readWithRetries = (read: () => Promise<EventPage>, terminal: Terminal): Promise<EventPage> =>
  retry(read, {
    delayMs: exponentialDelay({ firstMs: intervalMs, longestMs: longestDelayMs }),
    minDelayMs: (error) => (error as RequestError).retryAfterMs,
    isRetryable: (error) => error instanceof RequestError && toExitCode(error) === exitCodes.fault,
    onRetry: ({ error, retries }) => {
      if (retries > 0) return;
      const { detail } = error as RequestError;
      terminal.warn(`${toOneLine(detail)} Waiting until the registry answers.`);
    },
  });

const checkFlags = ({ query }: RouteInput, { format }: Session): void => {
  if (format === 'json') {
    throw new UsageError('--follow never ends: give --jsonl with it, not --json.');
  }
  if (query?.['limit'] !== undefined) {
    throw new UsageError('--follow never ends: give --last with it, not --limit.');
  }
  if (query?.['after'] !== undefined && query['last'] !== undefined) {
    throw new UsageError('Give --after or --last: both set the first event.');
  }
};

/**
 * Writes new events until Ctrl-C, starting after a sequence number or with the last events.
 * @throws {UsageError} for flags that do not go with `--follow`
 * @throws {RequestError} if the first request fails, or the registry refuses one
 */
export const followEvents = async (input: RouteInput, session: Session): Promise<void> => {
  checkFlags(input, session);
  const { client, format, terminal } = session;
  const { after, last = lastShown } = input.query as { after?: number; last?: number };
  let page = await readPage(client, after === undefined ? { last } : { after });
  for (;;) {
    const { events, next } = page;
    writeRows(events, terminal.out, { format, formatRow: formatEvent });
    if (events.length < maxLimit) await delay(intervalMs);
    page = await readWithRetries(() => readPage(client, { after: next }), terminal);
  }
};
