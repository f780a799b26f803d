/**
 * Calls of AWS APIs. Those with JSON have `X-Amz-Target: Service_Version.Operation` and a JSON body. CloudFormation's are forms
 * with the operation as `Action`.
 */
import type { IncomingHttpHeaders } from 'node:http';
import { answerJson, answerXml, escapeXml, type HttpAnswer } from './http.ts';
import { isObject, type JsonObject, parseJson } from './json.ts';

export type Service = 'cloudformation' | 'dynamodb' | 'streams' | 'secretsmanager' | 'sqs' | 'kms';

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

const parseForm = (bytes: Buffer): ApiCall => {
  const { Action = '', ...body } = Object.fromEntries(new URLSearchParams(bytes.toString('utf8')));
  return { service: 'cloudformation', operation: Action, body };
};

const isForm = (headers: IncomingHttpHeaders): boolean =>
  headers['content-type']?.startsWith('application/x-www-form-urlencoded') ?? false;

/**
 * Returns the call of an HTTP request.
 * @throws {ApiError} with AWS's error for a malformed or unknown call
 */
export const parseCall = (headers: IncomingHttpHeaders, bytes: Buffer): ApiCall => {
  if (isForm(headers)) return parseForm(bytes);
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

/** Namespace of exception names in the responses of each service with JSON. */
const typePrefix: Readonly<Record<Exclude<Service, 'cloudformation'>, string>> = {
  dynamodb: 'com.amazon.coral.service#',
  streams: 'com.amazon.coral.service#',
  secretsmanager: '',
  sqs: 'com.amazonaws.sqs#',
  kms: '',
};

export const answerError = (error: ApiError, service: Service = 'dynamodb'): ApiAnswer => {
  if (service === 'cloudformation') {
    const message = escapeXml(error.message);
    return answerXml(
      error.status,
      `<ErrorResponse><Error><Type>Sender</Type><Code>${error.code}</Code><Message>${message}</Message></Error></ErrorResponse>`,
    );
  }
  return answerJson(
    error.status,
    { __type: typePrefix[service] + error.code, Message: error.message },
    { 'content-type': 'application/x-amz-json-1.0' },
  );
};
