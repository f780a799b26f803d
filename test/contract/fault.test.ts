import { PutCommand, ScanCommand } from '@aws-sdk/lib-dynamodb';
import type { AwsHooks, FunctionCall } from '@package-registry/local-aws';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { databaseOf } from '../support/database.ts';
import { endingSoon, skippingPauses } from '../support/function-clocks.ts';
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

describe('a write', () => {
  const hooks: AwsHooks = {};
  let registry: TestRegistry;
  let count = 0;

  beforeAll(async () => {
    registry = await TestRegistry.start({ hooks, transform: skippingPauses });
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

  it('whose answer was lost, and who is throttled from then on, is answered as done, because it is', async () => {
    const busy = await TestRegistry.start({ hooks, transform: endingSoon });
    const submission = fresh();
    const lostThenThrottled = () => {
      let sent = 0;
      hooks.onRequest = (call) => {
        if (!isTransaction(call)) return undefined;
        sent += 1;
        return sent > 1 ? dynamodbError('ThrottlingException') : undefined;
      };
      hooks.afterForward = (call) => (isTransaction(call) ? 'drop' : undefined);
    };

    lostThenThrottled();
    const submitted = await busy.submit(submission);
    lostThenThrottled();
    const approved = await busy.post(packagePath(submission.name, '/approve'));

    expect([submitted.status, approved.status]).toEqual([201, 200]);
    await busy.close();
  });

  it('of which nobody says what became of it is not said to have changed nothing', async () => {
    const busy = await TestRegistry.start({ hooks, transform: endingSoon });
    const submission = fresh();
    let isLost = false;
    hooks.onRequest = (call) =>
      isLost && call.service === 'dynamodb' ? dynamodbError('ThrottlingException') : undefined;
    hooks.afterForward = (call) => {
      isLost ||= isTransaction(call);
      return isTransaction(call) ? 'drop' : undefined;
    };

    const { status, body, headers } = await busy.post('/api/v1/packages', submission);
    hooks.onRequest = undefined;
    hooks.afterForward = undefined;

    expect([status, body.code]).toEqual([500, 'outcome_unknown']);
    expect(body.detail).not.toMatch(/nothing was changed/i);
    expect(headers.get('retry-after')).toBe('1');
    expect((await busy.get(packagePath(submission.name))).status).toBe(200);
    await busy.close();
  });

  it('that is answered with a 500 is sent again', async () => {
    const failed = first(3);
    hooks.onRequest = (call) =>
      failed(call) ? dynamodbError('InternalServerError', {}, 500) : undefined;

    expect((await registry.submit(fresh())).status).toBe(201);
  });

  it('that is refused stays refused where its refusal cannot be remembered', async () => {
    const submission = fresh();
    await registry.submit(submission);
    hooks.onRequest = ({ operation }) =>
      operation === 'PutItem' ? dynamodbError('ThrottlingException') : undefined;

    const { status, body } = await registry.post('/api/v1/packages', submission, {
      headers: { 'Idempotency-Key': 'throttled-refusal' },
    });

    expect([status, body.code]).toEqual([409, 'package_exists']);
    expect(registry.logs.map(({ event }) => event)).toContain('refusal_not_remembered');
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
    const busy = await TestRegistry.start({ hooks, transform: endingSoon });
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

  it('that loses a race is refused, and the other decision stands', async () => {
    const { name } = (await registry.submit(fresh())).body;
    const isSlow = first(1);
    let overtaken: Promise<unknown> = Promise.resolve();
    hooks.onRequest = async (call) => {
      if (!isSlow(call)) return;
      overtaken = registry.post(packagePath(name, '/reject'), { reason: 'first' });
      await overtaken;
    };

    const { status, body } = await registry.post(packagePath(name, '/approve'));
    await overtaken;

    expect(status).toBe(409);
    expect(body.code).toBe('decision_conflict');
    expect(body.detail).toContain('rejected');
    expect((await registry.get(packagePath(name))).body.status).toBe('rejected');
  });

  it('that is throttled for longer than the SDK tries says so, and that it may be repeated', async () => {
    const busy = await TestRegistry.start({ hooks, transform: endingSoon });
    hooks.onRequest = (call) =>
      isTransaction(call) ? dynamodbError('ThrottlingException') : undefined;

    const { body } = await busy.post('/api/v1/packages', fresh());

    hooks.onRequest = undefined;
    expect(body.code).toBe('write_contention');
    await busy.close();
  });

  it('can be decided again after its table was restored to before a decision', async () => {
    const submission = fresh();
    const database = databaseOf(registry);
    const TableName = registry.stack.tables['PACKAGES_TABLE'];
    await registry.submit(submission);
    const { Items } = await database.send(new ScanCommand({ TableName }));
    await registry.post(packagePath(submission.name, '/approve'));
    for (const Item of Items ?? []) await database.send(new PutCommand({ TableName, Item }));

    const { status } = await registry.post(packagePath(submission.name, '/reject'));

    expect(status).toBe(200);
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

describe('a service that never answers', () => {
  const forever = new Promise<undefined>(() => undefined);

  it.each<[string, FunctionCall['service'], string, number]>([
    ['DynamoDB', 'dynamodb', 'storage_unavailable', 500],
    ['Secrets Manager', 'secretsmanager', 'tokens_unavailable', 500],
  ])('does not keep the caller: %s', async (_, service, code, status) => {
    const hooks: AwsHooks = {
      onRequest: (call) => (call.service === service ? forever : undefined),
    };
    const registry = await TestRegistry.start({ hooks, tokens: ',' });

    const answer = await registry.post(packagePath('x', '/approve'));

    expect(answer.status).toBe(status);
    expect(answer.body.code).toBe(code);
    await expect
      .poll(() => registry.logs.filter(({ event }) => event === 'request'))
      .toHaveLength(1);
    await registry.close();
  });

  it('does not keep a caller who asks for the public key', async () => {
    const hooks: AwsHooks = {
      onRequest: ({ service }) => (service === 'kms' ? forever : undefined),
    };
    const registry = await TestRegistry.start({
      hooks,
      signDecisions: true,
    });

    const answer = await registry.get('/keys');

    expect(answer.status).toBe(500);
    expect(answer.body.code).toBe('keys_unavailable');
    expect(answer.headers.get('retry-after')).toBe('10');
    await registry.close();
  });
});

describe('reading', () => {
  const hooks: AwsHooks = {};
  let registry: TestRegistry;

  beforeAll(async () => {
    registry = await TestRegistry.start({ hooks, transform: skippingPauses });
  });
  afterAll(() => registry.close());

  it('says when to come again where reads are throttled', async () => {
    hooks.onRequest = () => dynamodbError('ThrottlingException');

    const { status, body, headers } = await registry.get('/api/v1/packages');

    expect([status, body.code]).toEqual([500, 'storage_unavailable']);
    expect(headers.get('retry-after')).toBe('1');
  });
});

describe('a fault inside', () => {
  const hooks: AwsHooks = {};
  let registry: TestRegistry;

  beforeAll(async () => {
    registry = await TestRegistry.start({
      hooks,
      transform: skippingPauses,
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
