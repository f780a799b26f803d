import { FilterPattern, QueryDefinition, QueryString } from 'aws-cdk-lib/aws-logs';
import { Construct } from 'constructs';
import type { SharedLog } from './shared-log.ts';

/**
 * Regular expressions of the lines that a failed run of a worker leaves in the log: its own line, and those of Lambda in the
 * text format. Lambda reports a run that timed out, exceeded its memory or lost its process in the last two ways; in China and
 * GovCloud in the two ways before. Metric filters know no parentheses and no quotes, so that `.` stands for a quote.
 * Source: https://docs.aws.amazon.com/lambda/latest/dg/lambda-runtime-environment.html
 */
const faultLines = [
  'event.:.worker_failed.,',
  '^[0-9].*Task\\stimed\\sout\\safter',
  '^RequestId:.*Runtime\\sexited',
  '^REPORT\\s.*Status:\\serror',
  '^REPORT\\s.*Status:\\stimeout',
].join('|');

/** The filter pattern of the lines that a failed run of a worker leaves in the log. A run may leave two of them. */
export const workerFault = FilterPattern.literal(`%${faultLines}%`);

interface WorkerFaultsQueryProps {
  readonly stackName: string;
  /** The log of the workers. */
  readonly log: SharedLog;
}

/** The saved CloudWatch Logs Insights query that lists workers with failed runs, their number of lines and the last line. */
export class WorkerFaultsQuery extends Construct {
  constructor(scope: Construct, id: string, { stackName, log }: WorkerFaultsQueryProps) {
    super(scope, id);
    new QueryDefinition(this, 'Query', {
      queryDefinitionName: `${stackName}/Worker faults`,
      logGroups: [log.group],
      queryString: new QueryString({
        // The functions share the log group, so that the names of its streams contain the name of the function.
        parseStatements: ['@logStream "*/*/*/*[*" as year, month, day, worker, instance'],
        filterStatements: [`@message like /${faultLines}/`],
        statsStatements: [
          'count(*) as lines, max(@timestamp) as last, latest(@message) as last_message by worker',
        ],
        sort: 'last desc',
      }),
    });
  }
}
