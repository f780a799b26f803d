/** Calls of AWS JSON APIs: `X-Amz-Target: Service_Version.Operation` and a JSON body. */
import type { IncomingHttpHeaders } from 'node:http';
import { answerJson, type HttpAnswer } from './http.ts';
import { isObject, type JsonObject, parseJson } from './json.ts';

export type Service = 'dynamodb' | 'streams' | 'secretsmanager' | 'sqs' | 'kms';

export interface ApiCall {
  readonly service: Service;
  readonly operation: string;
  readonly body: JsonObject;
}

/** Response of a service, with a text body. */
export type ApiAnswer = HttpAnswer<string>;

/** Error of a service. The SDK converts it into an exception with the same name. */
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
  AmazonSQS: 'sqs',
  TrentService: 'kms',
};

const parseBody = (bytes: Buffer): JsonObject => {
  const body = parseJson(bytes.toString('utf8'));
  if (isObject(body)) return body;
  throw new ApiError('SerializationException', 'the body is not a JSON object');
};

/**
 * Returns the call of an HTTP request.
 * @throws {ApiError} with AWS's error for a malformed or unknown call
 */
export const parseCall = (headers: IncomingHttpHeaders, bytes: Buffer): ApiCall => {
  const [target = '', operation = ''] = String(headers['x-amz-target'] ?? '').split('.');
  const service = services[target];
  if (service === undefined || operation === '') {
    throw new ApiError('UnknownOperationException', `no operation ${target}.${operation}`, 404);
  }
  return { service, operation, body: parseBody(bytes) };
};

/** Returns the access key id of a signed request: `Authorization: AWS4-HMAC-SHA256 Credential=<id>/<date>/...`. */
export const readAccessKeyId = ({ authorization = '' }: IncomingHttpHeaders): string | undefined =>
  /Credential=([^/,\s]+)\//.exec(authorization)?.[1];

/** Namespace of exception names in the responses of each service. */
const typePrefix: Readonly<Record<Service, string>> = {
  dynamodb: 'com.amazon.coral.service#',
  streams: 'com.amazon.coral.service#',
  secretsmanager: '',
  sqs: 'com.amazonaws.sqs#',
  kms: '',
};

export const answerError = (error: ApiError, service: Service = 'dynamodb'): ApiAnswer =>
  answerJson(
    error.status,
    { __type: typePrefix[service] + error.code, Message: error.message },
    { 'content-type': 'application/x-amz-json-1.0' },
  );
