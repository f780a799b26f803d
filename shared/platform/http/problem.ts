import type { HttpAnswer } from '../../api/http-answer.ts';
import { problemContentType, problemType } from '../../api/problem-type.ts';
import type { Problem } from '../../api/schemas/problem.ts';
import { type ErrorItem, problems, RegistryError } from '../../domain/errors.ts';

/** Answers show the state of this moment, so nobody may keep them; and they are never anything but what they say. */
export const commonHeaders = {
  'Cache-Control': 'no-store',
  'X-Content-Type-Options': 'nosniff',
} as const;

/** No refusal is larger, in bytes: a small request without a token shall not be worth a large answer. */
const maxBytes = 8192;
const maxDetailLength = 1000;
const maxItemLength = 200;
/** How many entries of each list are left, tried one after the other. */
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

/** The lists of a problem, with as many of their first entries. */
const shortenLists = (problem: Problem, length: number): object =>
  Object.fromEntries(
    Object.entries(problem).map(([name, value]) => [
      name,
      Array.isArray(value) ? value.slice(0, length) : value,
    ]),
  );

/** With the end of its line. */
const isSmall = (text: string): boolean => Buffer.byteLength(text) < maxBytes;

/** The problem as JSON; where that is too large, with clipped texts and as much of its lists as fits. */
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

/** The answer that explains an error. What is not a RegistryError is told to the log only. */
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
