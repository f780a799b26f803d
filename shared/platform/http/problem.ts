import type { HttpAnswer } from '../../api/http-answer.ts';
import { problemContentType, problemType } from '../../api/problem-type.ts';
import type { Problem } from '../../api/schemas/problem.ts';
import { type ErrorItem, problems, RegistryError } from '../../domain/errors.ts';

/** Headers of all API answers. They forbid caches, because data changes, and content sniffing. */
export const commonHeaders = {
  'Cache-Control': 'no-store',
  'X-Content-Type-Options': 'nosniff',
} as const;

/** Maximum size of a problem in bytes, so that a small request without a token cannot cause a large answer. */
const maxBytes = 8192;
const maxDetailLength = 1000;
const maxItemLength = 200;
/** Lengths to shorten lists to, tried in this order. */
const listLengths = [20, 10, 5, 1];

const clip = (text: string, maxLength: number): string =>
  text
    .slice(0, maxLength)
    .toWellFormed()
    .replace(/\p{Cc}/gu, ' ');

const clipItem = ({ path, message }: ErrorItem): ErrorItem => ({
  path: clip(path, maxItemLength),
  message: clip(message, maxItemLength),
});

/** Returns the problem with each of its lists cut to `length` entries. */
const shortenLists = (problem: Problem, length: number): object =>
  Object.fromEntries(
    Object.entries(problem).map(([name, value]) => [
      name,
      Array.isArray(value) ? value.slice(0, length) : value,
    ]),
  );

/** True if the text and its line end fit into the size limit. */
const isSmall = (text: string): boolean => Buffer.byteLength(text) < maxBytes;

/** Returns the problem as JSON. If it is too large, texts are clipped and lists are shortened until it fits. */
const writeProblem = (problem: Problem): string => {
  const whole = JSON.stringify(problem);
  if (isSmall(whole)) return whole;
  const { detail, errors } = problem;
  const clipped = {
    ...problem,
    detail: clip(detail, maxDetailLength),
    ...(errors && { errors: errors.map(clipItem) }),
  };
  const texts = listLengths.map((length) => JSON.stringify(shortenLists(clipped, length)));
  return texts.find(isSmall) ?? JSON.stringify(shortenLists(clipped, 0));
};

/** Returns the problem answer of an error. Details of errors other than RegistryError appear only in the log. */
export const makeProblemAnswer = (error: unknown, requestId: string): HttpAnswer => {
  const known =
    error instanceof RegistryError
      ? error
      : new RegistryError(
          'internal_error',
          'Something went wrong on our side. Try again; if it stays, report the request_id.',
        );
  const { code, message: detail, parts } = known;
  const { errors, members, headers } = parts;
  const { title, status } = problems[code];
  const problem = {
    ...{ type: problemType(code), title, status, detail, code, request_id: requestId },
    ...(errors && { errors: [...errors] }),
    ...members,
  };
  return {
    statusCode: status,
    headers: { 'Content-Type': problemContentType, ...commonHeaders, ...headers },
    body: `${writeProblem(problem)}\n`,
  };
};
