import { setTimeout as delay } from 'node:timers/promises';
import * as z from 'zod';
import { dayMs } from '../shared/util/duration.ts';
import { readStackOutput, runAwsCli } from './aws-cli.ts';

const pollMs = 500;
const maxPolls = 120;

/** Result of a query: https://docs.aws.amazon.com/AmazonCloudWatchLogs/latest/APIReference/API_GetQueryResults.html */
const QueryResults = z.object({
  status: z.string(),
  results: z.array(z.array(z.object({ field: z.string(), value: z.string() }))),
});

const toSeconds = (ms: number): string => String(Math.floor(ms / 1000));

const startQuery = (stack: string, query: string, days: number): string => {
  const now = Date.now();
  return runAwsCli([
    ...['logs', 'start-query', '--log-group-name', readStackOutput(stack, 'EndpointsLogGroupName')],
    ...['--start-time', toSeconds(now - days * dayMs), '--end-time', toSeconds(now)],
    ...['--query-string', query, '--query', 'queryId', '--output', 'text'],
  ]);
};

/** Row of a result: the values by the names of the fields. */
export type QueryRow = Readonly<Record<string, string>>;

/**
 * Returns the rows of a query of a deployment's request log, over the last days.
 * @throws {Error} if the AWS CLI fails, or the query does not complete
 */
export const queryRequestLog = async (
  stack: string,
  { query, days }: { readonly query: string; readonly days: number },
): Promise<readonly QueryRow[]> => {
  const id = startQuery(stack, query, days);
  for (let poll = 0; poll < maxPolls; poll += 1) {
    const answer = runAwsCli(['logs', 'get-query-results', '--query-id', id, '--output', 'json']);
    const { status, results } = QueryResults.parse(JSON.parse(answer));
    if (status === 'Complete') {
      return results.map((cells) =>
        Object.fromEntries(cells.map(({ field, value }) => [field, value])),
      );
    }
    if (!['Scheduled', 'Running'].includes(status)) {
      throw new Error(`The query of the request log ended as ${status}. Try again.`);
    }
    await delay(pollMs);
  }
  throw new Error('The query of the request log takes longer than a minute. Try again.');
};
