/** One call of an AWS JSON API: `X-Amz-Target: Service_Version.Operation` and a JSON body. */
import type { IncomingHttpHeaders } from 'node:http';
import { answerJson, type HttpAnswer } from '../http.ts';
import { isObject, type JsonObject, parseJson } from '../json.ts';

export type Service = 'dynamodb' | 'streams' | 'secretsmanager' | 'sqs';

export interface ApiCall {
  readonly service: Service;
  readonly operation: string;
  readonly body: JsonObject;
}

/** An answer as it leaves the service, the body as text. */
export type ApiAnswer = HttpAnswer<string>;

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
  AmazonSQS: 'sqs',
};

const parseBody = (bytes: Buffer): JsonObject => {
  const body = parseJson(bytes.toString('utf8'));
  if (isObject(body)) return body;
  throw new ApiError('SerializationException', 'the body is not a JSON object');
};

/**
 * Reads the call from its HTTP request.
 * @throws {ApiError} as AWS would refuse it
 */
export const parseCall = (headers: IncomingHttpHeaders, bytes: Buffer): ApiCall => {
  const [target = '', operation = ''] = String(headers['x-amz-target'] ?? '').split('.');
  const service = services[target];
  if (service === undefined || operation === '') {
    throw new ApiError('UnknownOperationException', `no operation ${target}.${operation}`, 404);
  }
  return { service, operation, body: parseBody(bytes) };
};

/** The access key id in `Authorization: AWS4-HMAC-SHA256 Credential=<id>/<date>/...`, if the request is signed. */
export const readAccessKeyId = ({ authorization = '' }: IncomingHttpHeaders): string | undefined =>
  /Credential=([^/,\s]+)\//.exec(authorization)?.[1];

/** The namespace of an exception's name in the service's answers. */
const typePrefix: Readonly<Record<Service, string>> = {
  dynamodb: 'com.amazon.coral.service#',
  streams: 'com.amazon.coral.service#',
  secretsmanager: '',
  sqs: 'com.amazonaws.sqs#',
};

export const answerError = (error: ApiError, service: Service = 'dynamodb'): ApiAnswer =>
  answerJson(
    error.status,
    { __type: typePrefix[service] + error.code, Message: error.message },
    { 'content-type': 'application/x-amz-json-1.0' },
  );
