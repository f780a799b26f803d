import { ScanCommand } from '@aws-sdk/lib-dynamodb';
import type { AwsHooks, StackModel } from '@package-registry/local-aws';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { settingVariables } from '../../shared/api/resources.ts';
import { databaseOf } from '../support/database.ts';
import { TestRegistry } from '../support/registry.ts';

const perDay = 3;
const makeToken = (label: string): string => `${label}-`.padEnd(43, 'x');
/** A label of each test's own. */
const labels = Array.from({ length: 9 }, (_, at) => `ci-${at}`);
const anns = [makeToken('ann'), makeToken('ann-other')] as const;
const nobody = makeToken('nobody');

const limited = (model: StackModel): StackModel => ({
  ...model,
  functions: Object.fromEntries(
    Object.entries(model.functions).map(([id, one]) => {
      const own = Object.entries(one.environment).map(([name, value]) => [
        name,
        name === settingVariables.submissionsPerDay || name === settingVariables.scansPerDay
          ? String(perDay)
          : value,
      ]);
      return [id, { ...one, environment: Object.fromEntries(own) }];
    }),
  ),
});

const hooks: AwsHooks = {};
let registry: TestRegistry;
let count = 0;
let used = 0;

beforeAll(async () => {
  const entries = labels.map((label) => `${label}:${makeToken(label)}`);
  registry = await TestRegistry.start({
    tokens: [...entries, ...anns.map((token) => `ann:${token}`), nobody].join(),
    transform: limited,
    hooks,
  });
});
afterEach(() => {
  hooks.onRequest = undefined;
});
afterAll(() => registry.close());

const dynamodbError = (name: string) => ({
  status: 400,
  headers: { 'content-type': 'application/x-amz-json-1.0' },
  body: JSON.stringify({ __type: `com.amazonaws.dynamodb.v20120810#${name}` }),
});

const freshToken = (): string => {
  used += 1;
  return makeToken(labels[used - 1] ?? '');
};
const fresh = () => {
  count += 1;
  return { ecosystem: 'npm', name: `limited-${count}`, version: '1.0.0' };
};
const submit = (token: string, body: object = fresh(), headers: Record<string, string> = {}) =>
  registry.post('/api/v1/packages', body, { token, headers });
const submitSome = async (token: string, howMany: number): Promise<number[]> => {
  const statuses: number[] = [];
  for (let at = 0; at < howMany; at += 1) statuses.push((await submit(token)).status);
  return statuses;
};

describe('a quota of submissions', () => {
  it('refuses the next one with 409, and says from when on to go on', async () => {
    const token = freshToken();

    expect(await submitSome(token, perDay)).toEqual([201, 201, 201]);
    const { status, headers, body } = await submit(token);

    expect([status, body.code]).toEqual([409, 'quota_reached']);
    expect(body.detail).toMatch(
      /^Tokens with the label ci-0 have made 3 submissions today \(UTC\).* Go on from \d{4}-\d\d-\d\dT00:00:00\.000Z, or ask its operators for a higher submissionsPerDay\.$/,
    );
    const seconds = Number(headers.get('Retry-After'));
    expect(seconds).toBeGreaterThanOrEqual(1);
    expect(seconds).toBeLessThanOrEqual(24 * 60 * 60);
  });

  it('is one for all tokens of a label, and another for a token without one', async () => {
    await submitSome(anns[0], perDay);

    expect((await submit(anns[1])).body.code).toBe('quota_reached');
    expect(await submitSome(nobody, perDay + 1)).toEqual([201, 201, 201, 409]);
    expect((await submit(nobody)).body.detail).toContain('This token has made 3 submissions');
  });

  it('is not used by what is refused before', async () => {
    const token = freshToken();
    const known = fresh();
    await submit(token, known);

    for (let at = 0; at < perDay; at += 1) {
      expect((await submit(token, known)).body.code).toBe('package_exists');
      expect((await submit(token, { ...fresh(), licence: 'MIT' })).status).toBe(400);
    }

    expect(await submitSome(token, perDay)).toEqual([201, 201, 409]);
  });

  it('holds for requests at the same moment', async () => {
    const token = freshToken();

    const answers = await Promise.all(Array.from({ length: 8 }, () => submit(token)));

    expect(answers.map(({ status }) => status).sort()).toEqual([
      ...[201, 201, 201],
      ...[409, 409, 409, 409, 409],
    ]);
  });

  it('counts each item of a request for many', async () => {
    const token = freshToken();
    const packages = Array.from({ length: perDay + 2 }, fresh);

    const { body } = await registry.post('/api/v1/submissions', { packages }, { token });

    const results: { status: number; problem?: { code: string } }[] = body.results;
    expect(results.map(({ status }) => status).sort()).toEqual([201, 201, 201, 409, 409]);
    expect(results.flatMap(({ problem }) => problem?.code ?? [])).toEqual([
      'quota_reached',
      'quota_reached',
    ]);
  });

  it('counts a request with an Idempotency-Key once, also where its first attempt fails', async () => {
    const token = freshToken();
    const [body, headers] = [fresh(), { 'Idempotency-Key': 'once' }];
    hooks.onRequest = (call) =>
      call.operation === 'TransactWriteItems' &&
      JSON.stringify(call.body).includes(`"${body.name}"`)
        ? dynamodbError('ValidationException')
        : undefined;
    const failed = await submit(token, body, headers);
    hooks.onRequest = undefined;

    const again = [await submit(token, body, headers), await submit(token, body, headers)];

    expect(failed.status).toBe(500);
    expect(again.map(({ status }) => status)).toEqual([201, 201]);
    expect(await submitSome(token, perDay)).toEqual([201, 201, 409]);
  });
});

it('a quota of scans refuses the next one with 409', async () => {
  const token = freshToken();
  const version = fresh();
  await submit(token, version);
  const scan = () =>
    registry.post(
      `/api/v1/security/scans/${version.name}`,
      { tool: 'a-scanner', vulnerabilities: [] },
      { token },
    );

  const statuses = [await scan(), await scan(), await scan()].map(({ status }) => status);
  const { status, body } = await scan();

  expect(statuses).toEqual([201, 201, 201]);
  expect([status, body.code]).toEqual([409, 'quota_reached']);
  expect(body.detail).toContain('made 3 scans today');
});

it('what counts goes by itself', async () => {
  const TableName = registry.stack.tables['IDEMPOTENCY_TABLE'];
  const { Items = [] } = await databaseOf(registry).send(new ScanCommand({ TableName }));

  const counters = Items.filter(({ scope }) => /^(?:quota|counted)#/.test(scope));

  expect(counters.length).toBeGreaterThan(0);
  for (const { expires_at } of counters) {
    const days = (expires_at * 1000 - Date.now()) / (24 * 60 * 60_000);
    expect(days).toBeGreaterThan(0.9);
    expect(days).toBeLessThanOrEqual(2);
  }
});
