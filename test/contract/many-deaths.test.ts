import type { AwsHooks, FunctionCall } from '@package-registry/local-aws';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { functionOf } from '../support/functions.ts';
import { packagePath, TestRegistry } from '../support/registry.ts';

const hooks: AwsHooks = {};
let registry: TestRegistry;
beforeAll(async () => {
  registry = await TestRegistry.start({ hooks });
});
afterAll(() => registry.close());

/** As far as the function is concerned, there is nothing any more; nothing that it does has an effect. */
const nothingMore = {
  status: 400,
  headers: { 'content-type': 'application/x-amz-json-1.0' },
  body: JSON.stringify({ __type: 'com.amazonaws.dynamodb.v20120810#ValidationException' }),
};

interface Death {
  /** How many calls of the function it comes after. */
  readonly after: number;
  /** Whether the last of them still took effect, of which it never heard. */
  readonly isApplied: boolean;
}

/** Has a function die. What it answers after that reaches nobody. Resolves to whether it came so far. */
const killing = async (
  routeId: string,
  { after, isApplied }: Death,
  work: () => Promise<unknown>,
): Promise<boolean> => {
  const { id } = functionOf(registry.stack.model, routeId);
  const isOwn = ({ functionId, service }: FunctionCall) =>
    functionId === id && service === 'dynamodb';
  let calls = 0;
  let isDead = false;
  hooks.onRequest = (call) => {
    if (!isOwn(call)) return undefined;
    calls += 1;
    const isLast = calls > after;
    const lets = isLast && isApplied && !isDead;
    isDead ||= isLast;
    return isDead && !lets ? nothingMore : undefined;
  };
  hooks.afterForward = (call) => (isOwn(call) && isDead ? 'drop' : undefined);
  await work();
  hooks.onRequest = undefined;
  hooks.afterForward = undefined;
  return isDead;
};

// biome-ignore lint/suspicious/noExplicitAny: tests look into bodies freely; the document has been checked
type Result = any;

type Version = {
  readonly ecosystem: string;
  readonly name: string;
  readonly version: string;
};

/** What is sent about two versions, what each item is answered with in the end, and what then happened to each version. */
interface Case {
  readonly routeId: string;
  readonly path: string;
  readonly prepare: (versions: readonly Version[]) => Promise<void>;
  readonly body: (one: Version, other: Version) => object;
  readonly answers: readonly number[];
  readonly histories: readonly (readonly string[])[];
}

const submitBoth = async (versions: readonly Version[]): Promise<void> => {
  for (const version of versions) await registry.submit(version);
};

const cases: readonly Case[] = [
  {
    routeId: 'submit-packages',
    path: '/api/v1/submissions',
    prepare: async () => undefined,
    body: (one, other) => ({ packages: [one, other, one, { ...one, version: '' }] }),
    answers: [201, 201, 409, 400],
    histories: [['package.submitted'], ['package.submitted']],
  },
  {
    routeId: 'decide-packages',
    path: '/api/v1/decisions',
    prepare: submitBoth,
    body: (one, other) => ({
      decisions: [
        { ...one, action: 'approve' },
        { ...other, action: 'reject', reason: 'no' },
        { ...one, action: 'reject', reason: 'on second thoughts' },
        { ...one, action: 'approve' },
        { ...one, action: 'approve', reason: 'after all', expires_in_days: 30 },
      ],
    }),
    answers: [200, 200, 200, 400, 200],
    histories: [
      ['package.approved', 'package.rejected', 'package.approved', 'package.submitted'],
      ['package.rejected', 'package.submitted'],
    ],
  },
];

const listHistory = async ({ name }: Version): Promise<string[]> => {
  const { body } = await registry.get(packagePath(name, '/history'));
  return body.history.map(({ event, type }: Result) => event ?? type);
};

/** Without the note of an answer that was kept; what is wrong in itself never ran, so that its refusal is not. */
const asFirst = ({ problem, replayed: _, ...rest }: Result) => ({
  ...rest,
  problem: { ...problem, request_id: problem?.status === 400 ? undefined : problem?.request_id },
});

let count = 0;

/** A request whose function dies at this point, and the same again until it is done. Resolves to whether it came so far. */
const dieAndRepeat = async (one: Case, death: Death): Promise<boolean> => {
  count += 1;
  const versions = ['one', 'other'].map((name) => ({
    ...{ ecosystem: 'npm', name: `${name}-${count}`, version: '1.0.0' },
  })) as [Version, Version];
  await one.prepare(versions);
  const headers = { 'Idempotency-Key': `request-${count}` };
  const send = async (): Promise<Result[]> =>
    (await registry.post(one.path, one.body(...versions), { headers })).body.results;

  const cameSoFar = await killing(one.routeId, death, send);
  const answers = await send();
  const again = await send();

  expect([death, answers.map(({ status }) => status)]).toEqual([death, one.answers]);
  expect(again.map(asFirst)).toEqual(answers.map(asFirst));
  expect(await Promise.all(versions.map(listHistory))).toEqual(one.histories);
  return cameSoFar;
};

describe('a function that dies in the middle, and the same request again', () => {
  it.each(cases)('does everything once, wherever it died: $routeId', async (one) => {
    for (const isApplied of [false, true]) {
      let after = 0;
      while (await dieAndRepeat(one, { after, isApplied })) after += 1;
      // The last point was behind the last call of the request.
      expect(after).toBeGreaterThan(8);
    }
  });
});
