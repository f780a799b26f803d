import type { AwsHooks, FunctionCall } from '@package-registry/local-aws';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { isFormatCheck } from '../support/formats.ts';
import { endingSoon, skippingPauses } from '../support/function-clocks.ts';
import { functionOf } from '../support/functions.ts';
import { packagePath, TestRegistry } from '../support/registry.ts';

const submissionsPath = '/api/v1/submissions';
const decisionsPath = '/api/v1/decisions';

const hooks: AwsHooks = {};
let registry: TestRegistry;
beforeAll(async () => {
  registry = await TestRegistry.start({ hooks, transform: skippingPauses });
});
afterEach(() => {
  hooks.onRequest = undefined;
  hooks.afterForward = undefined;
  hooks.onResponse = undefined;
});
afterAll(() => registry.close());

type Version = {
  readonly ecosystem: string;
  readonly name: string;
  readonly version: string;
};

let count = 0;
const fresh = (): Version => {
  count += 1;
  return { ecosystem: 'npm', name: `subject-${count}`, version: '1.0.0' };
};
const freshOnes = (length: number) => Array.from({ length }, fresh);

// biome-ignore lint/suspicious/noExplicitAny: tests look into bodies freely; the document has been checked
type Result = any;

const sendAll = async (path: string, body: object, key?: string): Promise<Result[]> => {
  const headers = key === undefined ? {} : { 'Idempotency-Key': key };
  const answer = await registry.post(path, body, { headers });
  expect(answer.status).toBe(200);
  return answer.body.results;
};
const submitAll = (packages: readonly unknown[], key?: string) =>
  sendAll(submissionsPath, { packages }, key);
const decideAll = (decisions: readonly unknown[], key?: string) =>
  sendAll(decisionsPath, { decisions }, key);

const statuses = (results: readonly Result[]): number[] => results.map(({ status }) => status);
const codes = (results: readonly Result[]) => results.map(({ problem }) => problem?.code);

/** Without the note that they are answers to an earlier request. */
const asFirst = (results: readonly Result[]) =>
  results.map(({ replayed: _, ...result }: Result) => result);

const withoutRequestId = ({ request_id: _, ...problem }: Result) => problem;

describe('many submissions', () => {
  it('are answered in their order, as each would be alone', async () => {
    const [one, other] = [fresh(), fresh()];
    const submission = { ...one, license: 'mit', submitted_by: 'web@example.com' };

    const results = await submitAll([submission, other]);

    expect(statuses(results)).toEqual([201, 201]);
    expect(results[0].package).toMatchObject({ ...one, status: 'pending', license: 'MIT' });
    expect((await registry.get(packagePath(one.name))).body).toEqual(results[0].package);
    expect((await registry.get(packagePath(other.name))).body).toEqual(results[1].package);
  });

  it('cost only themselves where one is wrong, and say of it what it would be told alone', async () => {
    const [first, last] = [fresh(), fresh()];
    const known = fresh();
    await registry.submit(known);
    const wrong = [
      { ...fresh(), version: undefined },
      { ...fresh(), licence: 'MIT', homepage: 'nonsense' },
      known,
    ];

    const results = await submitAll([first, ...wrong, 'no object', null, last]);

    expect(statuses(results)).toEqual([201, 400, 400, 409, 400, 400, 201]);
    for (const [at, submission] of wrong.entries()) {
      const alone = await registry.post('/api/v1/packages', submission);
      expect(withoutRequestId(results[at + 1].problem)).toEqual(withoutRequestId(alone.body));
    }
    expect(results[4].problem.errors).toEqual([{ path: 'item', message: 'must be an object' }]);
  });

  it.each([
    ['a body that is no list', {}, 'packages'],
    ['an empty list', { packages: [] }, 'packages'],
    ['over 100', { packages: Array(101).fill({}) }, 'packages'],
    ['another field', { packages: [{}], package: {} }, 'package'],
  ])('are refused as a whole for %s', async (_, body, path) => {
    const { status, body: problem } = await registry.post(submissionsPath, body);

    expect([status, problem.code]).toEqual([400, 'validation_failed']);
    expect(problem.errors[0].path).toBe(path);
  });

  it('are done in their order where they are about one name: the second sees the first', async () => {
    const submission = { ...fresh(), ecosystem: 'pypi', name: 'Some.Thing' };

    const results = await submitAll([
      submission,
      { ...submission, name: 'some-thing', version: '1.0' },
      { ...submission, version: '2.0.0' },
    ]);

    expect(statuses(results)).toEqual([201, 409, 201]);
    const { body } = await registry.get(packagePath('some-thing', '/versions'));
    expect(body.packages.map(({ version }: Version) => version)).toEqual(['2.0.0', '1.0.0']);
  });

  it('are up to 100, with every list and counter right', async () => {
    const packages = freshOnes(100);

    const results = await submitAll(packages);

    expect(new Set(statuses(results))).toEqual(new Set([201]));
    expect(results.map((result) => result.package.name)).toEqual(packages.map(({ name }) => name));
    const last = packages.at(-1)?.name ?? '';
    expect((await registry.get(`/api/v1/packages?search=${last}`)).body.total).toBe(1);
  });

  it('may be 0.8 MB together', async () => {
    const description = 'ü'.repeat(4096);
    const packages = freshOnes(100).map((one) => ({ ...one, description }));

    expect(new Set(statuses(await submitAll(packages)))).toEqual(new Set([201]));
  });
});

describe('many decisions', () => {
  const submitted = async (length: number): Promise<Version[]> => {
    const versions = freshOnes(length);
    await submitAll(versions);
    return versions;
  };

  it('take what each takes alone, and are answered as that', async () => {
    const [one, other] = (await submitted(2)) as [Version, Version];

    const results = await decideAll([
      { ...one, action: 'approve', approved_by: 'ana@example.com', expires_in_days: 30 },
      { ...other, action: 'reject', rejected_by: 'ben@example.com', reason: 'no' },
    ]);

    expect(statuses(results)).toEqual([200, 200]);
    expect(results[0].package).toMatchObject({
      status: 'approved',
      approved_by: 'ana@example.com',
    });
    expect(results[0].package.expires_at).not.toBeNull();
    expect(results[1].package).toMatchObject({ status: 'rejected', reason: 'no' });
    expect((await registry.get(packagePath(other.name))).body).toEqual(results[1].package);
  });

  it('on one version see each other in their order', async () => {
    const [one] = (await submitted(1)) as [Version];

    const results = await decideAll([
      { ...one, action: 'approve' },
      { ...one, action: 'approve' },
      { ...one, action: 'reject' },
      { ...one, action: 'reject', reason: 'on second thoughts' },
      { ...one, action: 'approve', reason: 'after all', expected_status: 'pending' },
    ]);

    expect(statuses(results)).toEqual([200, 409, 400, 200, 409]);
    expect(codes(results)).toEqual([
      ...[undefined, 'decision_in_force', 'reason_required', undefined, 'decision_conflict'],
    ]);
  });

  it('cost only themselves where one is wrong', async () => {
    const [one] = (await submitted(1)) as [Version];

    const results = await decideAll([
      { ...one, action: 'reject', approved_by: 'ana@example.com' },
      { ...one, action: 'approve', override: true },
      { ...one, action: 'expire' },
      { name: one.name, action: 'approve' },
      { ...fresh(), action: 'approve' },
      { ...one, name: 'x'.repeat(5000), action: 'approve' },
      7,
      { ...one, action: 'approve' },
    ]);

    expect(statuses(results)).toEqual([400, 400, 400, 400, 404, 404, 400, 200]);
    expect(results[0].problem.errors).toEqual([
      { path: 'approved_by', message: expect.stringMatching(/^is unknown; there are rejected_by/) },
    ]);
    expect(results[1].problem.errors).toEqual([
      { path: 'reason', message: expect.stringContaining('is required with override') },
    ]);
    expect(results[2].problem.errors).toEqual([
      { path: 'item', message: 'must be an object whose action is approve or reject' },
    ]);
    expect(results[3].problem.errors).toEqual([
      { path: 'ecosystem', message: expect.any(String) },
      { path: 'version', message: 'is required' },
    ]);
  });
});

describe('the same key again', () => {
  it('gives each item its first answer, also where it would go otherwise by now', async () => {
    const [there, missing] = [fresh(), fresh()];
    await registry.submit(there);
    const decisions = [there, missing].map((one) => ({ ...one, action: 'approve' }));

    const first = await decideAll(decisions, 'decisions');
    await registry.post(packagePath(there.name, '/reject'), { reason: 'CVE' });
    await registry.submit(missing);
    const second = await decideAll(decisions, 'decisions');

    expect(statuses(first)).toEqual([200, 404]);
    expect(asFirst(second)).toEqual(first);
    expect(second.map(({ replayed }) => replayed)).toEqual([true, true]);
    expect((await registry.get(packagePath(missing.name))).body.status).toBe('pending');
    expect((await registry.get(packagePath(there.name))).body.status).toBe('rejected');
  });

  it('is refused for an item in whose place another one stood', async () => {
    const [one, two, other] = [fresh(), fresh(), fresh()];
    await submitAll([one, two], 'submissions');

    const results = await submitAll([one, other], 'submissions');

    expect(codes(results)).toEqual([undefined, 'idempotency_key_reused']);
    expect((await registry.get(packagePath(other.name))).status).toBe(404);
  });

  it('lets one of many simultaneous requests do each item, and gives all the same answers', async () => {
    const packages = freshOnes(8);

    const answers = await Promise.all(
      Array.from({ length: 4 }, () => submitAll(packages, 'simultaneous')),
    );

    for (const results of answers) {
      expect(new Set(statuses(results))).toEqual(new Set([201]));
      expect(asFirst(results)).toEqual(asFirst(answers[0] ?? []));
    }
  });

  it('of a single request is another key', async () => {
    const one = fresh();
    await submitAll([one], 'shared');

    const headers = { 'Idempotency-Key': 'shared' };
    const alone = await registry.post('/api/v1/packages', one, { headers });

    expect(alone.status).toBe(409);
  });
});

const dynamodbError = (name: string) => ({
  status: 400,
  headers: { 'content-type': 'application/x-amz-json-1.0' },
  body: JSON.stringify({ __type: `com.amazonaws.dynamodb.v20120810#${name}` }),
});

const asText = ({ body }: FunctionCall): string => JSON.stringify(body);

describe('a fault', () => {
  it('of one item costs that one, is logged with its place, and is not kept as its answer', async () => {
    const [one, other] = [fresh(), fresh()];
    hooks.onRequest = (call) =>
      call.operation === 'TransactWriteItems' && asText(call).includes(`"${other.name}"`)
        ? dynamodbError('ValidationException')
        : undefined;

    const first = await submitAll([one, other], 'fault');
    hooks.onRequest = undefined;
    const second = await submitAll([one, other], 'fault');

    expect(statuses(first)).toEqual([201, 500]);
    expect(codes(first)).toEqual([undefined, 'internal_error']);
    expect(statuses(second)).toEqual([201, 201]);
    expect(second[0]).toEqual({ ...first[0], replayed: true });
    expect(second[1]).not.toHaveProperty('replayed');
    await expect
      .poll(() => registry.logs.filter(({ event }) => event === 'request_failed'))
      .toMatchObject([{ item: 1, request_id: first[1].problem.request_id }]);
    const { request_id } = first[1].problem;
    const failed = registry.logs.filter(({ event }) => event === 'item_failed');
    expect(failed).toMatchObject([{ item: 1, request_id, code: 'internal_error' }]);
  });

  it('of one item has those behind it of the same name wait, so that their order stays', async () => {
    const [one, other] = [fresh(), fresh()];
    await submitAll([one, other]);
    const decisions = [
      { ...one, action: 'approve', reason: 'go' },
      { ...one, action: 'reject', reason: 'stop' },
      { ...other, action: 'approve' },
    ];
    let faults = 1;
    hooks.onRequest = (call) => {
      const isFirst =
        call.operation === 'TransactWriteItems' && asText(call).includes(`"${one.name}"`);
      if (!isFirst || faults === 0) return undefined;
      faults -= 1;
      return dynamodbError('ValidationException');
    };

    const first = await decideAll(decisions, 'ordered');
    hooks.onRequest = undefined;
    const second = await decideAll(decisions, 'ordered');

    expect(codes(first)).toEqual(['internal_error', 'not_attempted', undefined]);
    expect(statuses(second)).toEqual([200, 200, 200]);
    expect((await registry.get(packagePath(one.name))).body.status).toBe('rejected');
  });

  it('of the storage is told of each item', async () => {
    hooks.onRequest = ({ service }) =>
      service === 'dynamodb' ? dynamodbError('ThrottlingException') : undefined;

    const results = await submitAll(freshOnes(2));

    expect(codes(results)).toEqual(['storage_unavailable', 'storage_unavailable']);
    await expect
      .poll(() => registry.logs.filter(({ code }) => code === 'storage_unavailable'))
      .toMatchObject([{ event: 'item_failed' }, { event: 'item_failed' }]);
  });
});

it('what there is no time for is not attempted, and done when it is sent again', async () => {
  const slow: AwsHooks = {};
  const busy = await TestRegistry.start({ hooks: slow, transform: endingSoon });
  const packages = freshOnes(100).map((one) => ({ ...one, name: 'one-lane' }));
  let attempts = 0;
  // Each takes a few pauses of the time of the function.
  slow.onRequest = ({ operation }) => {
    if (operation === 'TransactWriteItems') attempts += 1;
    return operation === 'TransactWriteItems' && attempts % 6 > 0
      ? dynamodbError('ThrottlingException')
      : undefined;
  };
  const submissions = { packages: packages.map((one, at) => ({ ...one, version: `1.0.${at}` })) };
  const headers = { 'Idempotency-Key': 'late' };

  const send = async (): Promise<Result[]> =>
    (await busy.post(submissionsPath, submissions, { headers })).body.results;

  const first = await send();
  slow.onRequest = undefined;
  let last = await send();
  // Pauses of writers that meet count as time here: more of them meet on a busy machine, and some may be late again.
  while (statuses(last).includes(500)) last = await send();

  const late = codes(first).indexOf('not_attempted');
  expect(late).toBeGreaterThan(0);
  expect(statuses(first)).toEqual(first.map((_: Result, at: number) => (at < late ? 201 : 500)));
  expect(new Set(statuses(last))).toEqual(new Set([201]));
  expect(asFirst(last.slice(0, late))).toEqual(first.slice(0, late));
  expect(busy.logs.filter(({ event }) => event === 'item_failed')).toEqual([]);
  await busy.close();
});

/** What a call costs follows from these: what it does, where, and to how many bytes. */
const describeCall = ({ operation, body }: FunctionCall): string => {
  const writes = body['TransactItems'];
  const parts = Array.isArray(writes) ? writes : [body];
  const tables = parts.map((part) => {
    const [, table] = /"TableName":"([^"]+)"/.exec(JSON.stringify(part)) ?? [];
    return `${Object.keys(part)[0]} ${table} ${Math.ceil(JSON.stringify(part).length / 1024)}`;
  });
  return [operation, ...tables.sort()].join(' ');
};

/** The calls that some requests make to DynamoDB; undefined where a call failed, so that something was asked twice. */
const recordCalls = async (work: () => Promise<unknown>): Promise<string[] | undefined> => {
  const calls: string[] = [];
  const writers = ['submit-package', 'submit-packages', 'approve-package', 'decide-packages'].map(
    (routeId) => functionOf(registry.stack.model, routeId).id,
  );
  let hasFailed = false;
  hooks.onResponse = (call, { status }) => {
    // Others are at work, too: some each minute.
    if (call.service !== 'dynamodb' || !writers.includes(call.functionId)) return;
    if (isFormatCheck(call)) return;
    calls.push(describeCall(call));
    hasFailed ||= status !== 200;
  };
  await work();
  hooks.onResponse = undefined;
  return hasFailed ? undefined : calls.toSorted();
};

it('costs for each item what it costs alone', async () => {
  let round = 100;
  const submitAndDecide = async (
    submit: (ones: readonly Version[]) => Promise<unknown>,
    approve: (ones: readonly Version[]) => Promise<unknown>,
  ): Promise<[submitted: string[], decided: string[]]> => {
    // Writers that meet ask again, and meet more often on a busy machine: what counts is a round in which none did.
    for (;;) {
      round += 1;
      const ones = Array.from({ length: 10 }, (_, at) => ({
        ...{ ecosystem: 'npm', name: `cost-${round}-${at}`, version: '1.0.0' },
      }));
      const submitted = await recordCalls(() => submit(ones));
      const decided = await recordCalls(() => approve(ones));
      if (submitted && decided) return [submitted, decided];
    }
  };

  const alone = await submitAndDecide(
    async (ones) => {
      for (const one of ones) await registry.submit(one);
    },
    async (ones) => {
      for (const { name } of ones) {
        await registry.post(packagePath(name, '/approve?ecosystem=npm&version=1.0.0'));
      }
    },
  );
  const joint = await submitAndDecide(submitAll, (ones) =>
    decideAll(ones.map((one) => ({ ...one, action: 'approve' }))),
  );

  expect(alone[0].length).toBe(30);
  expect(joint).toEqual(alone);
});
