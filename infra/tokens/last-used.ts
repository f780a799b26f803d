import { setTimeout as delay } from 'node:timers/promises';
import * as z from 'zod';
import { dayMs } from '../../shared/util/duration.ts';
import { readStackOutput, runAwsCli } from './aws-cli.ts';

/** Days of the request log that are searched. */
export const searchedDays = 30;

const query =
  'filter event = "request" and ispresent(token_fingerprint) | stats max(@timestamp) as last_used by token_fingerprint | limit 10000';

const pollMs = 500;
const maxPolls = 120;

/** Result of a query: https://docs.aws.amazon.com/AmazonCloudWatchLogs/latest/APIReference/API_GetQueryResults.html */
const QueryResults = z.object({
  status: z.string(),
  results: z.array(z.array(z.object({ field: z.string(), value: z.string() }))),
});

const toSeconds = (ms: number): string => String(Math.floor(ms / 1000));

const startQuery = (stack: string, now: number): string =>
  runAwsCli([
    ...['logs', 'start-query', '--log-group-name', readStackOutput(stack, 'EndpointsLogGroupName')],
    ...['--start-time', toSeconds(now - searchedDays * dayMs), '--end-time', toSeconds(now)],
    ...['--query-string', query, '--query', 'queryId', '--output', 'text'],
  ]);

const readRow = (cells: readonly { field: string; value: string }[]): [string, string] => {
  const row = Object.fromEntries(cells.map(({ field, value }) => [field, value]));
  return [row['token_fingerprint'] ?? '', row['last_used'] ?? ''];
};

/**
 * Finds in the request log of a deployment when each token was last used, by its fingerprint. Tokens without a request in
 * the searched days are missing.
 * @throws {Error} if the AWS CLI fails, or the query does not complete
 */
export const findLastUses = async (stack: string): Promise<ReadonlyMap<string, string>> => {
  const id = startQuery(stack, Date.now());
  for (let poll = 0; poll < maxPolls; poll += 1) {
    const answer = runAwsCli(['logs', 'get-query-results', '--query-id', id, '--output', 'json']);
    const { status, results } = QueryResults.parse(JSON.parse(answer));
    if (status === 'Complete') return new Map(results.map(readRow));
    if (!['Scheduled', 'Running'].includes(status)) {
      throw new Error(`The query of the request log ended as ${status}. Try again.`);
    }
    await delay(pollMs);
  }
  throw new Error('The query of the request log takes longer than a minute. Try again.');
};
