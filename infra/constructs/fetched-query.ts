import { QueryDefinition, QueryString } from 'aws-cdk-lib/aws-logs';
import { Construct } from 'constructs';
import { makeFetchedQuery } from '../recalls/fetched-query.ts';
import type { SharedLog } from './shared-log.ts';

interface FetchedQueryProps {
  readonly stackName: string;
  /** The log of the functions that answer requests. */
  readonly log: SharedLog;
}

/** Version that the saved query has as an example. `npm run recalls` prints the query of any version. */
const example = { ecosystem: 'npm', name: 'axios', version: '1.14.1' } as const;

/** The saved CloudWatch Logs Insights query that lists who fetched a version. */
export class FetchedQuery extends Construct {
  constructor(scope: Construct, id: string, { stackName, log }: FetchedQueryProps) {
    super(scope, id);
    new QueryDefinition(this, 'Query', {
      queryDefinitionName: `${stackName}/Fetched version`,
      logGroups: [log.group],
      queryString: new QueryString(makeFetchedQuery(example)),
    });
  }
}
