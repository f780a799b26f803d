import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import type { AwsHooks, FunctionCall } from '../../infra/local/aws/aws-proxy.ts';
import type { StackModel } from '../../infra/local/template/model.ts';
import { packagePath, TestRegistry } from '../support/registry.ts';

const dynamodbError = (name: string, extra: object = {}, status = 400) => ({
  status,
  headers: { 'content-type': 'application/x-amz-json-1.0' },
  body: JSON.stringify({
    __type: `com.amazonaws.dynamodb.v20120810#${name}`,
    message: 'injected-detail',
    ...extra,
  }),
});

const conflict = dynamodbError('TransactionCanceledException', {
  CancellationReasons: [{ Code: 'None' }, { Code: 'TransactionConflict' }],
});

const isTransaction = ({ operation }: FunctionCall): boolean => operation === 'TransactWriteItems';

/** Seconds that Lambda gives each function here, so that giving up does not take a test too long. */
const timeoutSeconds = 4;

const impatient = (model: StackModel): StackModel => ({
  ...model,
  functions: Object.fromEntries(
    Object.entries(model.functions).map(([id, lambda]) => [id, { ...lambda, timeoutSeconds }]),
  ),
});

describe('a write', () => {
  const hooks: AwsHooks = {};
  let registry: TestRegistry;
  let count = 0;

  beforeAll(async () => {
    registry = await TestRegistry.start({ hooks });
  });
  afterEach(() => {
    hooks.onRequest = undefined;
    hooks.afterForward = undefined;
  });
  afterAll(() => registry.close());

  const fresh = () => {
    count += 1;
    return { ecosystem: 'npm', name: `subject-${count}`, version: '1.0.0' };
  };

  /** Does something to the first `times` transactions. */
  const first = (times: number) => {
    let left = times;
    return (call: FunctionCall): boolean => {
      if (!isTransaction(call) || left === 0) return false;
      left -= 1;
      return true;
    };
  };

  it('whose answer was lost is done once and answered as done', async () => {
    const submission = fresh();
    const isLost = first(2);
    hooks.afterForward = (call) => (isLost(call) ? 'drop' : undefined);

    const submitted = await registry.submit(submission);
    const isLostToo = first(1);
    hooks.afterForward = (call) => (isLostToo(call) ? 'drop' : undefined);
    const approved = await registry.post(packagePath(submission.name, '/approve'));

    expect([submitted.status, approved.status]).toEqual([201, 200]);
    const { body } = await registry.get(packagePath(submission.name, '/versions'));
    expect(body).toMatchObject({ total: 1, packages: [{ status: 'approved' }] });
  });

  it('that conflicts with others is tried again', async () => {
    const conflicts = first(4);
    hooks.onRequest = (call) => (conflicts(call) ? conflict : undefined);

    const { status } = await registry.submit(fresh());

    expect(status).toBe(201);
  });

  it('that is throttled is tried again', async () => {
    const throttled = first(3);
    hooks.onRequest = (call) =>
      throttled(call) ? dynamodbError('ProvisionedThroughputExceededException') : undefined;

    const { status } = await registry.submit(fresh());

    expect(status).toBe(201);
  });

  it('that does not get through in time says so, and nothing of it remains', async () => {
    const submission = fresh();
    const busy = await TestRegistry.start({ hooks, transform: impatient });
    hooks.onRequest = (call) => (isTransaction(call) ? conflict : undefined);

    const { status, headers, body } = await busy.post('/api/v1/packages', submission);
    hooks.onRequest = undefined;

    expect(status).toBe(500);
    expect(body.code).toBe('write_contention');
    expect(headers.get('retry-after')).toBe('1');
    expect((await busy.get(packagePath(submission.name))).status).toBe(404);
    expect((await busy.submit(submission)).status).toBe(201);
    await busy.close();
  });

  it('is not kept as the answer to its Idempotency-Key when it failed on our side', async () => {
    const submission = fresh();
    const headers = { 'Idempotency-Key': 'after-a-fault' };
    hooks.onRequest = (call) =>
      isTransaction(call) ? dynamodbError('ValidationException') : undefined;

    const failed = await registry.post('/api/v1/packages', submission, { headers });
    hooks.onRequest = undefined;
    const repeated = await registry.post('/api/v1/packages', submission, { headers });

    expect([failed.status, repeated.status]).toEqual([500, 201]);
  });
});

describe('a fault inside', () => {
  const hooks: AwsHooks = {};
  let registry: TestRegistry;

  beforeAll(async () => {
    registry = await TestRegistry.start({
      hooks,
      tokens: 'a-token-of-more-than-thirty-two-letters',
    });
  });
  afterEach(() => {
    hooks.onRequest = undefined;
  });
  afterAll(() => registry.close());

  it('is told to the log and not to the caller', async () => {
    hooks.onRequest = () => dynamodbError('ValidationException');

    const { status, body } = await registry.get('/api/v1/packages');

    expect(status).toBe(500);
    expect(body).toMatchObject({ code: 'internal_error', request_id: expect.any(String) });
    expect(JSON.stringify(body)).not.toMatch(/injected-detail|Validation|dynamodb/i);
    await expect
      .poll(() => registry.logs.filter((line) => line['request_id'] === body.request_id))
      .toMatchObject([
        {
          level: 'error',
          event: 'request_failed',
          error: { name: 'ValidationException', message: 'injected-detail' },
        },
        { level: 'info', event: 'request', status: 500 },
      ]);
  });

  it('of Secrets Manager lets nobody in', async () => {
    hooks.onRequest = ({ service }) =>
      service === 'secretsmanager'
        ? {
            ...dynamodbError('AccessDeniedException'),
            headers: { 'content-type': 'application/x-amz-json-1.1' },
          }
        : undefined;

    const { status, body } = await registry.post(packagePath('x', '/approve'), undefined, {
      token: 'a-token-of-more-than-thirty-two-letters',
    });

    expect(status).toBe(500);
    expect(body.code).toBe('tokens_unavailable');
  });
});
