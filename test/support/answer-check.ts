import { gunzipSync, inflateSync } from 'node:zlib';
import type { Exchange } from '@package-registry/local-aws';
import { allPages, type Page } from '../../shared/api/non-api-routes.ts';
import { problemContentType } from '../../shared/api/problem-type.ts';
import { Problem } from '../../shared/api/schemas/problem.ts';
import { findProblemKind, type ProblemCode, problems } from '../../shared/domain/errors.ts';
import {
  type DocumentedAnswer,
  type DocumentedOperation,
  describeFaults,
  findOperation,
  findSchema,
} from './document.ts';

const isPathOf = ({ path }: Page, asked: string): boolean =>
  path.endsWith('{path+}') ? asked.startsWith(path.replace('{path+}', '')) : asked === path;

/** Headers for the client, which must be documented wherever they occur. */
const documentedHeaders = ['location', 'link', 'retry-after', 'idempotency-replayed'];

const readHeader = ({ answer }: Exchange, name: string): string | undefined => {
  const value = answer.headers[name.toLowerCase()];
  return value === undefined ? undefined : [value].flat().join(', ');
};

const codings: Readonly<Record<string, (body: string | Buffer) => Buffer>> = {
  gzip: gunzipSync,
  deflate: inflateSync,
};

/** The gateway compresses long responses for clients that accept it. */
const readText = (exchange: Exchange): string => {
  const { body } = exchange.answer;
  const unpack = codings[readHeader(exchange, 'content-encoding') ?? ''];
  return (unpack ? unpack(body) : body).toString();
};

const parseBody = (exchange: Exchange): unknown => JSON.parse(readText(exchange));

/** Checks a response outside the operations: a page, or a problem of the gateway. */
const checkOther = (exchange: Exchange): void => {
  const { status } = exchange.answer;
  if (status < 400) {
    if (allPages.some((page) => isPathOf(page, exchange.path))) return;
    throw new Error(`${status} without an operation or a page`);
  }
  const problem = Problem.parse(parseBody(exchange));
  if (problem.status !== status)
    throw new Error(`${status} has a problem with status ${problem.status}`);
};

/** Resolves to the names of the documented headers in the response. */
const checkHeaders = (
  exchange: Exchange,
  { headers = {} }: DocumentedAnswer,
  keys: readonly string[],
): string[] => {
  const undocumented = documentedHeaders.filter(
    (name) =>
      readHeader(exchange, name) !== undefined &&
      !Object.keys(headers).some((documented) => documented.toLowerCase() === name),
  );
  if (undocumented.length > 0) throw new Error(`Undocumented headers: ${undocumented}`);
  return Object.entries(headers).flatMap(([name, { required = false, schema }]) => {
    const value = readHeader(exchange, name);
    if (value === undefined && required) throw new Error(`No ${name}`);
    if (value === undefined) return [];
    const check = findSchema(...keys, 'headers', name, 'schema');
    const isNumber = 'type' in schema && schema.type === 'integer';
    if (!check(isNumber ? Number(value) : value)) throw new Error(describeFaults(check));
    return [name];
  });
};

/** The headers that a code requires, which the document cannot express. */
const checkProblem = (exchange: Exchange, code: string): void => {
  if (!(code in problems)) throw new Error(`${code} is no code of ours`);
  const { header } = findProblemKind(code as ProblemCode);
  for (const name of ['Location', 'Retry-After']) {
    const isThere = readHeader(exchange, name) !== undefined;
    if (isThere !== (header === name)) throw new Error(`${name} with ${code}: ${isThere}`);
  }
};

/** A response without a documented body. */
const checkEmpty = (
  exchange: Exchange,
  {
    operation,
    documented,
    answerKeys,
  }: {
    operation: DocumentedOperation;
    documented: DocumentedAnswer;
    answerKeys: readonly string[];
  },
): string[] => {
  if (readText(exchange) !== '') throw new Error('It has a body');
  const seen = `${operation.operationId} ${exchange.answer.status}`;
  return [seen, ...checkHeaders(exchange, documented, answerKeys).map((name) => `${seen} ${name}`)];
};

const checkDocumented = (exchange: Exchange): string[] => {
  const { method, path, answer } = exchange;
  const found = findOperation(method, path);
  if (!found) {
    checkOther(exchange);
    return [];
  }
  const { operation, keys } = found;
  const status = String(answer.status);
  const documented = operation.responses[status];
  if (!documented) throw new Error(`${operation.operationId} does not document ${status}`);
  const answerKeys = [...keys, 'responses', status];
  if (!documented.content) return checkEmpty(exchange, { operation, documented, answerKeys });
  const mediaType = readHeader(exchange, 'content-type') ?? '';
  if (!documented.content[mediaType]) throw new Error(`${mediaType} is not documented`);
  const check = findSchema(...answerKeys, 'content', mediaType, 'schema');
  const body = parseBody(exchange);
  if (!check(body)) throw new Error(describeFaults(check));
  const headers = checkHeaders(exchange, documented, answerKeys);
  const what = mediaType === problemContentType ? Problem.parse(body).code : '';
  if (what) checkProblem(exchange, what);
  const seen = [operation.operationId, status, what].filter(Boolean).join(' ');
  return [seen, ...(what ? [] : headers.map((name) => `${seen} ${name}`))];
};

/**
 * Checks a response against the document: its status, its media type, its body and its headers. Resolves to the documented
 * parts that it covers: the operation, the status, and the code of a problem or each header of a success.
 * @throws {Error} for a response that the document does not allow
 */
export const checkAnswer = (exchange: Exchange): string[] => {
  try {
    return checkDocumented(exchange);
  } catch (error) {
    const { method, path, answer } = exchange;
    const text = readText(exchange).slice(0, 500);
    const what = `${method} ${path} ${answer.status} ${text}`;
    throw new Error(`${(error as Error).message}: ${what}`, { cause: error });
  }
};
