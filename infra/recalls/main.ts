/** `npm run recalls`: finds who fetched a version, by the request log of a deployment. */
import { parseArgs } from 'node:util';
import { ecosystems } from '../../shared/ecosystems/ecosystem.ts';
import { queryRequestLog } from '../log-query.ts';
import { UsageError } from '../usage-error.ts';
import { type FetchedVersion, formatQuery, makeFetchedQuery, mostRows } from './fetched-query.ts';

const usage = `Usage: npm run recalls -- fetched [ECOSYSTEM:]NAME@VERSION [--stack NAME] [--days 30]

Lists the requests for a version to the dependency firewall, also refused ones: time (UTC),
status, path and request ID. Without --stack, prints the query for CloudWatch Logs Insights.

  --stack NAME  a deployment, by its stack (with your credentials for AWS)
  --days N      the last days to search (default 30)

The access log has the address of the client for each request ID. Exits with 0 if the query
completed, with 1 if it failed, and with 2 for wrong usage.`;

const parse = () => {
  try {
    return parseArgs({
      allowPositionals: true,
      options: {
        stack: { type: 'string' },
        days: { type: 'string', default: '30' },
        help: { type: 'boolean', default: false },
      },
    });
  } catch (error) {
    throw new UsageError((error as Error).message);
  }
};

/** Returns the version that a text such as `npm:axios@1.14.1` names. */
const readVersion = (text: string): FetchedVersion => {
  const {
    ecosystem,
    name = '',
    version = '',
  } = /^(?:(?<ecosystem>[a-z]+):)?(?<name>.+)@(?<version>[^@]+)$/.exec(text)?.groups ?? {};
  const known = ecosystems.find((one) => one === ecosystem);
  if (version === '') throw new UsageError('A version is required, such as npm:axios@1.14.1.');
  // The name of a Maven package has a colon, too.
  return known || ecosystem === undefined
    ? { ecosystem: known, name, version }
    : { name: `${ecosystem}:${name}`, version };
};

const readDays = (text: string): number => {
  if (/^[1-9]\d{0,3}$/.test(text)) return Number(text);
  throw new UsageError('--days is a whole number from 1.');
};

const listFetched = async (stack: string, query: string, days: number): Promise<void> => {
  const rows = await queryRequestLog(stack, { query, days });
  for (const row of rows) {
    const { '@timestamp': at, status, method, path, request_id } = row;
    console.log([at, status, method, path, request_id].join('  '));
  }
  const more = rows.length === mostRows ? ' There may be more: search fewer days.' : '';
  const noun = rows.length === 1 ? 'request' : 'requests';
  console.error(`${rows.length} ${noun} in the last ${days} days.${more}`);
};

const run = async (): Promise<void> => {
  const { values, positionals } = parse();
  if (values.help) return console.log(usage);
  const [command, text = '', ...others] = positionals;
  if (command !== 'fetched' || others.length > 0) {
    throw new UsageError('The only command is fetched, with one version.');
  }
  const days = readDays(values.days);
  const query = formatQuery(makeFetchedQuery(readVersion(text)));
  if (values.stack !== undefined) return listFetched(values.stack, query, days);
  console.log(query);
  console.error(
    'Run it in CloudWatch Logs Insights, over the log group in the stack output EndpointsLogGroupName; or pass --stack.',
  );
};

try {
  await run();
} catch (error) {
  const isUsage = error instanceof UsageError;
  console.error(isUsage ? `${error.message}\n\n${usage}` : (error as Error).message);
  process.exitCode = isUsage ? 2 : 1;
}
