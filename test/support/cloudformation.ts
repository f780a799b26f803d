import { text } from 'node:stream/consumers';
import { pathToFileURL } from 'node:url';
import { readStack } from '@package-registry/local-aws';
import { inject, vi } from 'vitest';
import { goWithout } from '../../infra/local/synthesis.ts';
import { functionOf } from './functions.ts';
import { serveStandIn } from './stand-in.ts';

const StackId = 'arn:aws:cloudformation:eu-west-1:123456789012:stack/Registry/x';

/** CloudFormation as a function of a custom resource sees it. */
export interface CloudFormationStandIn {
  /** Status of the stack. Undefined: nobody may read it. */
  status: string | undefined;
  /** Bodies of the requests for the status. */
  readonly questions: string[];
  /** Sends a request to a function's bundle, and returns what the function answers. */
  send(functionId: string, request: Readonly<Record<string, unknown>>): Promise<unknown>;
  close(): Promise<void>;
}

const denied =
  '<ErrorResponse><Error><Type>Sender</Type><Code>AccessDenied</Code><Message>no</Message></Error></ErrorResponse>';

const describeStack = (status: string): string =>
  `<DescribeStacksResponse xmlns="http://cloudformation.amazonaws.com/doc/2010-05-15/"><DescribeStacksResult><Stacks><member><StackId>${StackId}</StackId><StackName>Registry</StackName><CreationTime>2026-01-31T12:00:00.123Z</CreationTime><StackStatus>${status}</StackStatus></member></Stacks></DescribeStacksResult></DescribeStacksResponse>`;

/** Serves CloudFormation for functions that run in the process of the test. */
export const serveCloudFormation = async (): Promise<CloudFormationStandIn> => {
  const answers: unknown[] = [];
  const aws = await serveStandIn(async (request, response) => {
    const body = await text(request);
    if (request.method === 'PUT') {
      answers.push(JSON.parse(body));
      response.end();
      return;
    }
    served.questions.push(body);
    response.statusCode = served.status === undefined ? 403 : 200;
    response.setHeader('content-type', 'text/xml');
    response.end(served.status === undefined ? denied : describeStack(served.status));
  });
  const served: CloudFormationStandIn = {
    status: undefined,
    questions: [],
    send: async (functionId, request) => {
      const stack = readStack(inject('assembly'), { goWithout });
      const { codeDirectory } = functionOf(stack, functionId);
      const { handler } = await import(pathToFileURL(`${codeDirectory}/index.mjs`).href);
      const ids = { StackId, RequestId: 'r', LogicalResourceId: 'Check', ServiceToken: 'arn' };
      await handler(
        { ...ids, ResponseURL: `${aws.url}/answer`, ...request },
        { getRemainingTimeInMillis: () => 120_000, awsRequestId: 'r' },
      );
      return answers.pop();
    },
    close: () => {
      vi.unstubAllEnvs();
      return aws.close();
    },
  };
  vi.stubEnv('AWS_ENDPOINT_URL_CLOUDFORMATION', aws.url);
  vi.stubEnv('AWS_REGION', 'eu-west-1');
  vi.stubEnv('AWS_ACCESS_KEY_ID', 'id');
  vi.stubEnv('AWS_SECRET_ACCESS_KEY', 'secret');
  return served;
};
