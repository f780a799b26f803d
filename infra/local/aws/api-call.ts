/** One call of an AWS JSON API: `X-Amz-Target: Service_Version.Operation` and a JSON body. */
import type { IncomingHttpHeaders } from 'node:http';

export type Service = 'dynamodb' | 'streams' | 'secretsmanager';

export type JsonObject = Readonly<Record<string, unknown>>;

export interface ApiCall {
  readonly service: Service;
  readonly operation: string;
  readonly body: JsonObject;
}

/** An HTTP answer as it leaves the service, the body as text. */
export interface ApiAnswer {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

/** A refusal in the form that the SDK turns into an exception of the same name. */
export class ApiError extends Error {
  readonly code: string;
  /** HTTP status. */
  readonly status: number;

  constructor(code: string, message: string, status = 400) {
    super(message);
    this.name = 'ApiError';
    this.code = code;
    this.status = status;
  }
}

const services: Readonly<Record<string, Service>> = {
  DynamoDB_20120810: 'dynamodb',
  DynamoDBStreams_20120810: 'streams',
  secretsmanager: 'secretsmanager',
};

export const isObject = (value: unknown): value is JsonObject =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

function parseBody(bytes: Buffer): JsonObject {
  try {
    const body: unknown = JSON.parse(bytes.toString('utf8'));
    if (isObject(body)) return body;
  } catch {
    // Answered like any other text that is no JSON object.
  }
  throw new ApiError('SerializationException', 'the body is not a JSON object');
}

/**
 * Reads the call from its HTTP request.
 * @throws {ApiError} as AWS would refuse it
 */
export function parseCall(headers: IncomingHttpHeaders, bytes: Buffer): ApiCall {
  const [target = '', operation = ''] = String(headers['x-amz-target'] ?? '').split('.');
  const service = services[target];
  if (service === undefined || operation === '') {
    throw new ApiError('UnknownOperationException', `no operation ${target}.${operation}`, 404);
  }
  return { service, operation, body: parseBody(bytes) };
}

/** The access key id in `Authorization: AWS4-HMAC-SHA256 Credential=<id>/<date>/...`, if the request is signed. */
export const accessKeyId = ({ authorization = '' }: IncomingHttpHeaders): string | undefined =>
  /Credential=([^/,\s]+)\//.exec(authorization)?.[1];

/** The exception's name carries a namespace in DynamoDB's answers and none in Secrets Manager's. */
const typePrefix: Readonly<Record<Service, string>> = {
  dynamodb: 'com.amazon.coral.service#',
  streams: 'com.amazon.coral.service#',
  secretsmanager: '',
};

export const errorAnswer = (error: ApiError, service: Service = 'dynamodb'): ApiAnswer => ({
  status: error.status,
  headers: { 'content-type': 'application/x-amz-json-1.0' },
  body: JSON.stringify({ __type: typePrefix[service] + error.code, Message: error.message }),
});
