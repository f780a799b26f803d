import { text } from 'node:stream/consumers';
import { serveStandIn } from './stand-in.ts';

/** What the services of AWS know about a deployment. */
interface Deployment {
  readonly stack: string;
  readonly outputs: Readonly<Record<string, string>>;
  /** The answer of CloudWatch Logs to a query. */
  results?: unknown;
}

/** The services of AWS that commands of operators use, and their requests. */
export interface AwsStandIn {
  readonly url: string;
  /** Variables with which the SDK sends its requests to these services. */
  readonly environment: Readonly<Record<string, string>>;
  readonly requests: string[];
  close(): Promise<void>;
}

const writeStack = ({ stack, outputs }: Deployment): string => {
  const members = Object.entries(outputs).map(
    ([name, value]) =>
      `<member><OutputKey>${name}</OutputKey><OutputValue><![CDATA[${value}]]></OutputValue></member>`,
  );
  return `<DescribeStacksResponse><DescribeStacksResult><Stacks><member><StackId>x</StackId><StackName>${stack}</StackName><CreationTime>2026-01-31T12:00:00Z</CreationTime><StackStatus>CREATE_COMPLETE</StackStatus><Outputs>${members.join('')}</Outputs></member></Stacks></DescribeStacksResult></DescribeStacksResponse>`;
};

const writeError = (code: string, message: string): string =>
  `<ErrorResponse><Error><Type>Sender</Type><Code>${code}</Code><Message>${message}</Message></Error></ErrorResponse>`;

/** Serves CloudFormation with one stack, and CloudWatch Logs with its results. */
export const serveAws = async (deployment: Deployment): Promise<AwsStandIn> => {
  const requests: string[] = [];
  const { url, close } = await serveStandIn(async (request, response) => {
    const body = await text(request);
    const target = String(request.headers['x-amz-target'] ?? '');
    requests.push(`${target} ${target === '' ? decodeURIComponent(body) : body}`);
    if (target.endsWith('.StartQuery')) return response.end('{"queryId":"12ab34cd"}');
    if (target.endsWith('.GetQueryResults'))
      return response.end(JSON.stringify(deployment.results));
    const name = new URLSearchParams(body).get('StackName');
    response.setHeader('content-type', 'text/xml');
    if (name === deployment.stack) return response.end(writeStack(deployment));
    response.statusCode = 400;
    return response.end(writeError('ValidationError', `Stack with id ${name} does not exist`));
  });
  const environment = {
    AWS_ACCESS_KEY_ID: 'id',
    AWS_SECRET_ACCESS_KEY: 'secret',
    AWS_REGION: 'eu-west-1',
    AWS_ENDPOINT_URL_CLOUDFORMATION: url,
    AWS_ENDPOINT_URL_CLOUDWATCH_LOGS: url,
  };
  return { url, environment, requests, close };
};
