/** Event of a Lambda proxy integration: https://docs.aws.amazon.com/apigateway/latest/developerguide/set-up-lambda-proxy-integrations.html */
import type { APIGatewayEventRequestContext, APIGatewayProxyEvent } from 'aws-lambda';
import type { RestApi } from '../template/model.ts';
import { accountId } from '../template/names.ts';
import { type HttpRequest, readHeader } from './http-request.ts';
import { isBinary } from './media-types.ts';
import type { Match } from './router.ts';

type Pair = readonly [name: string, value: string];

/** Decodes percent-encoding, and `+` as a blank. Invalid percent-encoding stays as it is. */
const decode = (text: string): string => {
  const withBlanks = text.replaceAll('+', ' ');
  try {
    return decodeURIComponent(withBlanks);
  } catch {
    return withBlanks;
  }
};

const parseQuery = (query: string): Pair[] =>
  query
    .split('&')
    .filter((part) => part !== '')
    .map((part) => {
      const [name = '', ...value] = part.split('=');
      return [decode(name), decode(value.join('='))];
    });

/** Returns one value for each name. The last of several values wins. */
const takeLastValues = (pairs: readonly Pair[]): Record<string, string> =>
  Object.fromEntries(pairs);

const groupValues = (pairs: readonly Pair[]): Record<string, string[]> =>
  Object.fromEntries(
    [...Map.groupBy(pairs, ([name]) => name)].map(([name, group]) => [
      name,
      group.map(([, value]) => value),
    ]),
  );

const months = ['Jan', 'Feb', 'Mar', 'Apr', 'May', 'Jun', 'Jul', 'Aug', 'Sep', 'Oct', 'Nov', 'Dec'];

/** Formats a time as in the common log format, in UTC: `21/Nov/2026:08:53:02 +0000`. */
export const formatRequestTime = (time: Date): string => {
  const [year, month, day] = time.toISOString().slice(0, 10).split('-');
  const clock = time.toISOString().slice(11, 19);
  return `${day}/${months[Number(month) - 1]}/${year}:${clock} +0000`;
};

const describeIdentity = (request: HttpRequest): APIGatewayEventRequestContext['identity'] => ({
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
  sourceIp: request.sourceIp,
  user: null,
  userAgent: readHeader(request, 'user-agent') ?? null,
  userArn: null,
});

/**
 * Returns the request context. The API is served at the root, as with a custom domain, so the path has no stage prefix.
 */
const describeContext = (
  api: RestApi,
  request: HttpRequest,
  { route }: Match,
): APIGatewayEventRequestContext => {
  const domainName = readHeader(request, 'host') ?? '';
  return {
    accountId,
    apiId: api.id,
    authorizer: undefined,
    domainName,
    domainPrefix: domainName.split(/[.:]/)[0],
    extendedRequestId: request.requestId,
    httpMethod: request.method,
    identity: describeIdentity(request),
    path: request.path,
    protocol: request.protocol,
    requestId: request.requestId,
    requestTime: formatRequestTime(request.receivedAt),
    requestTimeEpoch: request.receivedAt.getTime(),
    resourceId: route.id,
    resourcePath: route.path,
    stage: api.stage,
  };
};

export interface Exchange {
  readonly request: HttpRequest;
  readonly match: Match;
  readonly body: Buffer;
}

/** Returns the event of one request. An empty body becomes null. */
export const makeProxyEvent = (
  api: RestApi,
  { request, match, body }: Exchange,
): APIGatewayProxyEvent => {
  const query = parseQuery(request.query);
  const isBase64Encoded =
    body.length > 0 && isBinary(readHeader(request, 'content-type'), api.binaryMediaTypes);
  return {
    resource: match.route.path,
    path: request.path,
    httpMethod: request.method,
    headers: takeLastValues(request.headers),
    multiValueHeaders: groupValues(request.headers),
    queryStringParameters: query.length > 0 ? takeLastValues(query) : null,
    multiValueQueryStringParameters: query.length > 0 ? groupValues(query) : null,
    pathParameters: match.pathParameters,
    stageVariables: api.stageVariables,
    requestContext: describeContext(api, request, match),
    body: body.length > 0 ? body.toString(isBase64Encoded ? 'base64' : 'utf8') : null,
    isBase64Encoded,
  };
};
