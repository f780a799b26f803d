import type { APIGatewayProxyEvent, Context } from 'aws-lambda';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { pages } from '../../../shared/api/non-api-routes.ts';
import { settingVariables } from '../../../shared/api/resources.ts';
import * as routes from '../../../shared/api/routes.ts';
import { endpoint } from '../../../shared/platform/http/endpoint.ts';
import { gate } from '../../../shared/platform/http/gate-endpoint.ts';
import { protectedEndpoint } from '../../../shared/platform/http/protected-endpoint.ts';
import { dynamodb } from '../../../shared/storage/dynamodb/dynamodb.ts';

vi.mock('../../../shared/platform/auth/tokens.ts', () => ({
  tokens: { current: async () => ({ entries: [] }), refreshed: async () => undefined },
}));

const lines: Record<string, unknown>[] = [];

beforeEach(() => {
  lines.length = 0;
  vi.stubEnv(settingVariables.requireTokens, 'false');
  vi.spyOn(process.stdout, 'write').mockImplementation((line) => {
    lines.push(JSON.parse(String(line)));
    return true;
  });
});
afterEach(() => {
  vi.restoreAllMocks();
  vi.unstubAllEnvs();
});

const never = (): Promise<never> => new Promise(() => {});

const handlers = {
  'a write': protectedEndpoint(routes.approvePackage, never),
  'a read with a token': protectedEndpoint(routes.showCaller, never),
  'a question in a body with a token': protectedEndpoint(routes.previewPolicy, never),
  'a read that anyone may send': endpoint(routes.showStatistics, never),
  'a request to the gate': gate(pages.serveNpm, never),
};

/** Runs a handler that has one millisecond left, while the storage does not answer. */
const runLate = async (of: keyof typeof handlers, parts: object) => {
  vi.stubEnv('REVIEWS_TABLE', 'reviews');
  vi.spyOn(dynamodb, 'send').mockImplementation(never);
  const event = {
    ...{ httpMethod: 'GET', path: '/x', headers: {}, multiValueHeaders: {}, pathParameters: {} },
    requestContext: { requestId: 'id' },
    ...parts,
  } as unknown as APIGatewayProxyEvent;
  const context = { getRemainingTimeInMillis: () => 1 } as unknown as Context;
  const { statusCode, body } = await handlers[of](event, context as never);
  return { statusCode, problem: JSON.parse(body) };
};

const sendJson = (body: string) => ({
  httpMethod: 'POST',
  headers: { 'Content-Type': 'application/json' },
  multiValueHeaders: { 'Content-Type': ['application/json'] },
  body,
});
const approval = { ...sendJson('{}'), pathParameters: { name: 'lodash' } };
const gated = {
  resource: '/npm/{path+}',
  pathParameters: { path: 'lodash' },
  requestContext: { requestId: 'id', path: '/npm/lodash' },
};

it('says that a write took too long while there is still time to say so, and that it may have been done', async () => {
  const { statusCode, problem } = await runLate('a write', approval);

  expect(statusCode).toBe(500);
  expect(problem).toMatchObject({
    ...{ code: 'timeout', title: 'The response took too long', request_id: 'id' },
    detail: expect.stringContaining('same Idempotency-Key'),
  });
});

it.each([
  ['a read with a token', {}],
  ['a question in a body with a token', sendJson('{"rules":[]}')],
  ['a read that anyone may send', {}],
  ['a request to the gate', gated],
] as const)('says nothing of writes where %s took too long', async (of, parts) => {
  const { statusCode, problem } = await runLate(of, parts);

  expect([statusCode, problem.code]).toEqual([500, 'timeout']);
  expect(problem.detail).toBe('The response took too long. Try again.');
});

it('logs an error for operators where a request took too long', async () => {
  await runLate('a request to the gate', gated);

  expect(lines).toMatchObject([
    { level: 'error', event: 'request_timed_out', request_id: 'id', path: '/x' },
    { level: 'info', event: 'request', status: 500, code: 'timeout' },
  ]);
});
