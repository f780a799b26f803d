import { type ProblemCode, problems, RegistryError } from '../domain/errors.ts';
import type { HttpAnswer } from '../http-answer.ts';
import { type Problem, problemContentType, problemType } from '../schemas/problem.ts';

/** Answers show the state of this moment, so nobody may keep them; and they are never anything but what they say. */
export const commonHeaders = {
  'Cache-Control': 'no-store',
  'X-Content-Type-Options': 'nosniff',
} as const;

const makeProblem = (code: ProblemCode, detail: string, requestId: string): Problem => ({
  type: problemType(code),
  title: problems[code].title,
  status: problems[code].status,
  detail,
  code,
  request_id: requestId,
});

/** The answer that explains an error. What is not a RegistryError is told to the log only. */
export const makeProblemAnswer = (error: unknown, requestId: string): HttpAnswer => {
  const known =
    error instanceof RegistryError
      ? error
      : new RegistryError(
          'internal_error',
          'Something went wrong on our side. Try again; if it stays, report the request_id.',
        );
  const { errors, members, headers } = known.parts;
  return {
    statusCode: problems[known.code].status,
    headers: { 'Content-Type': problemContentType, ...commonHeaders, ...headers },
    body: JSON.stringify({
      ...makeProblem(known.code, known.message, requestId),
      ...(errors && { errors }),
      ...members,
    }),
  };
};
