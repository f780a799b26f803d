import { setTimeout as delay } from 'node:timers/promises';
import {
  CloudWatchLogsClient,
  GetQueryResultsCommand,
  StartQueryCommand,
} from '@aws-sdk/client-cloudwatch-logs';
import { dayMs } from '../shared/util/duration.ts';
import { askAws } from './aws-errors.ts';
import { readStackOutput } from './stack-outputs.ts';

const pollMs = 500;
const maxPolls = 120;

const toSeconds = (ms: number): number => Math.floor(ms / 1000);

/** Row of a result: the values by the names of the fields. */
export type QueryRow = Readonly<Record<string, string>>;

/**
 * Returns the rows of a query of a deployment's request log, over the last days.
 * @throws {Error} in one sentence, if AWS refuses the query or does not complete it
 */
export const queryRequestLog = async (
  stack: string,
  { query, days }: { readonly query: string; readonly days: number },
): Promise<readonly QueryRow[]> => {
  const logGroupName = await readStackOutput(stack, 'EndpointsLogGroupName');
  const client = new CloudWatchLogsClient({});
  const now = Date.now();
  const { queryId } = await askAws(() =>
    client.send(
      new StartQueryCommand({
        logGroupName,
        queryString: query,
        startTime: toSeconds(now - days * dayMs),
        endTime: toSeconds(now),
      }),
    ),
  );
  for (let poll = 0; poll < maxPolls; poll += 1) {
    const { status = '', results = [] } = await askAws(() =>
      client.send(new GetQueryResultsCommand({ queryId })),
    );
    if (status === 'Complete') {
      return results.map((cells) =>
        Object.fromEntries(cells.map(({ field = '', value = '' }) => [field, value])),
      );
    }
    if (!['Scheduled', 'Running'].includes(status)) {
      throw new Error(`The query of the request log ended as ${status}. Try again.`);
    }
    await delay(pollMs);
  }
  throw new Error('The query of the request log takes longer than a minute. Try again.');
};
