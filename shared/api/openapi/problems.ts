import { findProblemKind, type ProblemCode, problems } from '../../domain/errors.ts';
import { groupBy } from '../../util/group-by.ts';
import { problemContentType, problemType } from '../problem-type.ts';
import type { Route } from '../route.ts';
import { isProtected, replaysAnswers } from '../route-rules.ts';
import { holdTo, implies, type JsonSchema } from '../schemas/json-schema.ts';
import { Problem } from '../schemas/problem.ts';
import { pending } from './examples/packages.ts';
import { replayedHeader } from './parameters.ts';
import { refer } from './schemas.ts';

/** Codes of problems that the gateway may return in place of any function. */
const gatewayCodes = [
  'bad_request',
  'forbidden',
  'throttled',
  'timeout',
  'internal_error',
] as const;

const bodyCodes = ['malformed_body', 'body_too_large', 'request_too_large'] as const;

const protectedCodes = [
  'missing_token',
  'invalid_token',
  'holder_refused',
  'tokens_unavailable',
  'issuer_unavailable',
] as const;

const readsStorage = ({ access }: Route): boolean =>
  Object.keys(access).some((name) => name !== 'tokens' && name !== 'settings');

/** True if two requests of a route can differ: only then can one have the key of another. */
const canDiffer = ({ path, body }: Route): boolean => body !== undefined || path.includes('{');

/** Returns the problem codes of a route: those of its kind, and its own. */
export const listProblemCodes = (route: Route): ProblemCode[] => [
  'validation_failed',
  ...(route.body ? bodyCodes : []),
  ...(isProtected(route) ? protectedCodes : []),
  ...(isProtected(route) && route.scope !== 'any' ? (['scope_missing'] as const) : []),
  ...(replaysAnswers(route) && canDiffer(route) ? (['idempotency_key_reused'] as const) : []),
  ...route.errors,
  ...(readsStorage(route) && !isProtected(route) ? (['too_much_to_read'] as const) : []),
  ...(readsStorage(route) && !route.many ? (['storage_unavailable'] as const) : []),
  ...gatewayCodes,
];

const memberExamples = {
  candidates: [pending],
  reasons: [{ code: 'license_rejected', message: 'The license AGPL-3.0-only is rejected.' }],
  error: 'lodash 4.17.20 is rejected: Prototype pollution; approved: 4.17.21',
};

const makeExample = (code: ProblemCode): JsonSchema => {
  const { status, title, member } = findProblemKind(code);
  const detail = `${title}.`;
  return {
    type: problemType(code),
    title,
    status,
    detail,
    code,
    request_id: '3f0c5a1e-8d0b-4c52-9d0e-0a6d1b2c3d4e',
    ...(status === 400 && { errors: [{ path: 'body', message: detail }] }),
    ...(member && { [member]: memberExamples[member] }),
  };
};

/** Returns one example of each problem that the routes may return, by code. */
export const describeProblemExamples = (routes: readonly Route[]): JsonSchema => {
  const codes = new Set(routes.flatMap(listProblemCodes));
  return Object.fromEntries(
    [...codes].map((code) => [code, { summary: problems[code].title, value: makeExample(code) }]),
  );
};

const headerDescriptions = {
  Location: {
    description: 'The package version that is there.',
    schema: { type: 'string', format: 'uri' },
  },
  'Retry-After': {
    description: 'In how many seconds to try again.',
    schema: { type: 'integer', minimum: 1 },
  },
};

/** Returns the headers of problems with one status. A header is required if every such problem has it. */
const describeHeaders = (codes: readonly ProblemCode[]): JsonSchema => {
  const headers = codes.map((code) => findProblemKind(code).header);
  return Object.fromEntries(
    [...new Set(headers)].flatMap((name) =>
      name
        ? [[name, { ...headerDescriptions[name], required: headers.every((one) => one === name) }]]
        : [],
    ),
  );
};

const has = (field: string): JsonSchema => ({ properties: { [field]: {} }, required: [field] });

/** Returns the rule that a problem with a code has the extra member of its kind; empty without such a member. */
const requireMember = (code: ProblemCode): JsonSchema[] => {
  const { member } = findProblemKind(code);
  return member ? [implies({ properties: { code: { const: code } } }, has(member))] : [];
};

const describeStatus = (status: number, codes: readonly ProblemCode[]): JsonSchema => ({
  ...refer(Problem),
  ...holdTo(
    { properties: { status: { const: status } } },
    { properties: { code: { enum: codes } } },
    ...(status === 400 ? [has('errors')] : []),
    ...codes.flatMap(requireMember),
  ),
});

/**
 * True if a response of a status may be a replay. Refusals of the operation itself can be replayed, server errors
 * cannot.
 */
const mayBeReplayed = ({ errors }: Route, status: number): boolean =>
  status < 500 && errors.some((code) => problems[code].status === status);

/** Response of the gateway to a body of more than 10 MB, before it uses any function or response template. */
const plainContent: JsonSchema = {
  'application/json': {
    schema: { type: 'object', properties: { message: { type: 'string' } }, required: ['message'] },
    example: { message: 'Request Too Long' },
  },
};

/** Returns the problem responses of an operation, by status. */
export const describeProblems = (route: Route): JsonSchema => {
  const byStatus = groupBy(listProblemCodes(route), (code) => problems[code].status);
  return Object.fromEntries(
    [...byStatus].map(([status, codes]) => [
      String(status),
      {
        description: codes.map((code) => `\`${code}\`: ${problems[code].title}`).join('. '),
        headers: {
          ...describeHeaders(codes),
          ...(replaysAnswers(route) && mayBeReplayed(route, status) && replayedHeader),
        },
        content: {
          [problemContentType]: {
            schema: describeStatus(status, codes),
            examples: Object.fromEntries(
              codes.map((code) => [code, { $ref: `#/components/examples/${code}` }]),
            ),
          },
          ...(status === problems.request_too_large.status && plainContent),
        },
      },
    ]),
  );
};
