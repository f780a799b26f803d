/** The requests of the benchmark, as API Gateway's events. */
import type { APIGatewayProxyEvent } from 'aws-lambda';
import * as routes from '../../../shared/api/routes.ts';
import { storedPackage } from './stored.ts';

export const apiKey = 'a-token-of-the-benchmark-that-is-long-enough';

const host = 'registry.example.com';

/** The headers of a client behind CloudFront. */
const commonHeaders = {
  Accept: 'application/json',
  'accept-encoding': 'gzip, br',
  'CloudFront-Forwarded-Proto': 'https',
  'CloudFront-Is-Desktop-Viewer': 'true',
  'CloudFront-Viewer-Country': 'DE',
  Host: host,
  'User-Agent': 'registry/1.0.0 node/24.21.0',
  Via: '2.0 5d2f5b3d8c9a.cloudfront.net (CloudFront)',
  'X-Amz-Cf-Id': 'Xq0vQ0w6kTzFzjyj0Y2l8k0C8mQ3bq5VvEw3L5j7f9nK1pR2sT4uVw==',
  'X-Amzn-Trace-Id': 'Root=1-69209c4e-3f1e2d4c5b6a79881726354',
  'X-Forwarded-For': '198.51.100.7, 203.0.113.9',
  'X-Forwarded-Port': '443',
  'X-Forwarded-Proto': 'https',
};

const toLists = (values: Readonly<Record<string, string>>): Record<string, string[]> =>
  Object.fromEntries(Object.entries(values).map(([name, value]) => [name, [value]]));

interface Sent {
  readonly route: { readonly method: string; readonly path: string };
  readonly path: string;
  readonly name?: string;
  readonly query?: Readonly<Record<string, string>>;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: object;
}

const makeEvent = ({ route, path, name, query, headers, body }: Sent): APIGatewayProxyEvent => {
  const allHeaders = { ...commonHeaders, ...headers };
  return {
    resource: route.path,
    path,
    httpMethod: route.method,
    headers: allHeaders,
    multiValueHeaders: toLists(allHeaders),
    queryStringParameters: query ?? null,
    multiValueQueryStringParameters: query ? toLists(query) : null,
    pathParameters: name === undefined ? null : { name },
    stageVariables: null,
    requestContext: {
      accountId: '123456789012',
      apiId: 'abcdefghij',
      authorizer: undefined,
      domainName: host,
      domainPrefix: 'registry',
      extendedRequestId: 'UGdlbkFQSUdX=',
      httpMethod: route.method,
      identity: {
        accessKey: null,
        accountId: null,
        apiKey: null,
        apiKeyId: null,
        caller: null,
        clientCert: null,
        cognitoAuthenticationProvider: null,
        cognitoAuthenticationType: null,
        cognitoIdentityId: null,
        cognitoIdentityPoolId: null,
        principalOrgId: null,
        sourceIp: '198.51.100.7',
        user: null,
        userAgent: 'registry/1.0.0 node/24.21.0',
        userArn: null,
      },
      path,
      protocol: 'HTTP/1.1',
      requestId: '0f7c2a52-95b4-4a10-8f5d-9a4b8c1d2e3f',
      requestTime: '21/Nov/2026:08:53:02 +0000',
      requestTimeEpoch: 1_795_251_182_000,
      resourceId: 'abc123',
      resourcePath: route.path,
      stage: 'v1',
    },
    body: body ? JSON.stringify(body) : null,
    isBase64Encoded: false,
  };
};

const { name, version, ecosystem, license, description, submitted_by } = storedPackage;
const listPath = routes.listPackages.path;

export const kinds = ['read', 'list', 'write'] as const;
export type Kind = (typeof kinds)[number];

/** One request of each kind, with the expected status. */
export const requests: Readonly<
  Record<Kind, { readonly event: APIGatewayProxyEvent; readonly status: number }>
> = {
  read: {
    event: makeEvent({ route: routes.showPackage, path: `${listPath}/${name}`, name }),
    status: 200,
  },
  list: {
    event: makeEvent({
      route: routes.listVersions,
      path: `${listPath}/${name}/versions`,
      name,
      query: { ecosystem: 'npm', limit: '20' },
    }),
    status: 200,
  },
  write: {
    event: makeEvent({
      route: routes.submitPackage,
      path: listPath,
      headers: { 'Content-Type': 'application/json', 'X-API-Key': apiKey },
      body: { name, version, ecosystem, license, description, submitted_by },
    }),
    status: 201,
  },
};
