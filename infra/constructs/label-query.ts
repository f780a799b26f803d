import { QueryDefinition, QueryString } from 'aws-cdk-lib/aws-logs';
import { Construct } from 'constructs';
import { type Route, routes } from '../../shared/api/routes.ts';
import type { SharedLog } from './shared-log.ts';

interface LabelQueryProps {
  readonly stackName: string;
  /** Where the functions log that answer requests. */
  readonly log: SharedLog;
}

/** A column for each, which counts the requests to one route. */
const counted = {
  submissions: routes.submitPackage,
  bulk_submissions: routes.submitPackages,
  scans: routes.submitScan,
} as const satisfies Record<string, Route>;

/** Gives lines of requests to the route a field of that name. A custom domain may have a path before the route's own. */
const parseRoute = (name: string, { method, path }: Route): string => {
  const pattern = path.replace(/\{\w+\}/g, '[^/]+').replaceAll('/', '\\/');
  return `asked /(?<${name}>^${method} .*${pattern}$)/`;
};

/** The query of CloudWatch Logs Insights that counts requests, submissions and refusals by the label of the token. */
export class LabelQuery extends Construct {
  constructor(scope: Construct, id: string, { stackName, log }: LabelQueryProps) {
    super(scope, id);
    const columns = Object.keys(counted).map((name) => `count(is_${name}) as ${name}`);
    new QueryDefinition(this, 'Query', {
      queryDefinitionName: `${stackName}/By label`,
      logGroups: [log.group],
      queryString: new QueryString({
        fields: ['coalesce(token_label, "none") as label', 'concat(method, " ", path) as asked'],
        parseStatements: Object.entries(counted).map(([name, route]) =>
          parseRoute(`is_${name}`, route),
        ),
        filterStatements: ['event = "request"'],
        // Refusals alone have a code.
        stats: `count(*) as requests, ${columns.join(', ')}, count(code) as refusals by label`,
        sort: 'requests desc',
      }),
    });
  }
}
