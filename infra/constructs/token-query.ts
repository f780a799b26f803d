import { QueryDefinition, QueryString } from 'aws-cdk-lib/aws-logs';
import { Construct } from 'constructs';
import type { Route } from '../../shared/api/route.ts';
import * as routes from '../../shared/api/routes.ts';
import type { SharedLog } from './shared-log.ts';

interface TokenQueryProps {
  readonly stackName: string;
  /** The log of the functions that answer requests. */
  readonly log: SharedLog;
}

/** The columns of the query. Each counts the requests to one route. */
const counted = {
  submissions: routes.submitPackage,
  bulk_submissions: routes.submitPackages,
  scans: routes.submitScan,
} as const satisfies Record<string, Route>;

/** Returns a parse expression that matches requests to the route. A custom domain may add a prefix to the path. */
const parseRoute = (name: string, { method, path }: Route): string => {
  const pattern = path.replace(/\{\w+\}/g, '[^/]+').replaceAll('/', '\\/');
  return `request /(?<${name}>^${method} .*${pattern}$)/`;
};

/** The saved CloudWatch Logs Insights query that counts requests, submissions and errors by token, and finds its last use. */
export class TokenQuery extends Construct {
  constructor(scope: Construct, id: string, { stackName, log }: TokenQueryProps) {
    super(scope, id);
    const columns = Object.keys(counted).map((name) => `count(is_${name}) as ${name}`);
    new QueryDefinition(this, 'Query', {
      queryDefinitionName: `${stackName}/By token`,
      logGroups: [log.group],
      queryString: new QueryString({
        fields: [
          'coalesce(token_label, "none") as label',
          'coalesce(token_fingerprint, "none") as fingerprint',
          'concat(method, " ", path) as request',
        ],
        parseStatements: Object.entries(counted).map(([name, route]) =>
          parseRoute(`is_${name}`, route),
        ),
        filterStatements: ['event = "request"'],
        // Only error responses have a code.
        statsStatements: [
          `count(*) as requests, ${columns.join(', ')}, count(code) as errors, max(@timestamp) as last_used by label, fingerprint`,
        ],
        sort: 'requests desc',
      }),
    });
  }
}
