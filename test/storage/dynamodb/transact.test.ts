import type { RequestListener, ServerResponse } from 'node:http';
import { json as readJson } from 'node:stream/consumers';
import { TransactionCanceledException } from '@aws-sdk/client-dynamodb';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import {
  type CommitMarker,
  makeWriteId,
  transact,
} from '../../../shared/storage/dynamodb/transact.ts';
import type { Write } from '../../../shared/storage/dynamodb/write.ts';
import type { Deadline } from '../../../shared/util/deadline.ts';
import { pointStoreAt } from '../../support/engine.ts';
import { useSimulatedClock } from '../../support/simulated-clock.ts';
import { type StandIn, serveStandIn } from '../../support/stand-in.ts';

/** How a transaction goes with a storage that refuses, fails, has too much to do, or says nothing. */

type Scene = (response: ServerResponse) => void;

const answer =
  (status: number, body: object): Scene =>
  (response) => {
    response.writeHead(status, { 'content-type': 'application/x-amz-json-1.0' });
    response.end(JSON.stringify(body));
  };
const fail = (name: string, more: object = {}, status = 400): Scene =>
  answer(status, { __type: `com.amazonaws.dynamodb.v20120810#${name}`, message: 'told', ...more });
const cancel = (...reasons: readonly object[]): Scene =>
  fail('TransactionCanceledException', { CancellationReasons: reasons });

const done = answer(200, {});
const none = { Code: 'None' };
const conflict = cancel(none, { Code: 'TransactionConflict' });
const throttled = fail('ThrottlingException');
const noJson: Scene = (response) => {
  response.writeHead(200, { 'content-type': 'application/x-amz-json-1.0' });
  response.end('{"It');
};
const silence: Scene = () => clock.passToLimit();
const cut: Scene = (response) => void response.socket?.destroy();
const halfDone: Scene = (response) => {
  response.writeHead(200, { 'content-length': 20 });
  response.write('{"It', () => response.destroy());
};

const clock = useSimulatedClock();
let standIn: StandIn;
let script: Scene[];
let tokens: unknown[];
let items: unknown[];

const play: RequestListener = async (request, response) => {
  const sent = await readJson(request);
  tokens.push(Object(sent).ClientRequestToken);
  items.push(Object(sent).TransactItems);
  const scene = script.length > 1 ? script.shift() : script[0];
  scene?.(response);
};

beforeEach(async () => {
  tokens = [];
  items = [];
  standIn = await serveStandIn(play);
  pointStoreAt({
    endpoint: standIn.url,
    region: 'us-east-1',
    credentials: { accessKeyId: 'test', secretAccessKey: 'test' },
  });
});
afterEach(() => standIn.close());

const within = (ms: number): Deadline => {
  const end = performance.now() + ms;
  return { remainingMs: () => end - performance.now() };
};
const put = (refuse?: Write['refuse']): Write => ({
  operation: { Put: { TableName: 'packages', Item: { name_key: 'a' } } },
  refuse,
});
const commitMarker = (isWritten: CommitMarker['isWritten']): CommitMarker => ({
  writeId: 'this-write',
  isWritten,
});

const attempt = (ms: number, writes: readonly Write[] = [put()], seen?: CommitMarker) =>
  transact(writes, within(ms), seen).then(
    () => 'done',
    (error: unknown) => error,
  );

const contention = {
  code: 'write_contention',
  message: expect.stringContaining('Nothing was changed'),
  parts: { headers: { 'Retry-After': '1' } },
};
const unreached = { ...contention, code: 'storage_unavailable' };
const unknown = {
  code: 'outcome_unknown',
  message: expect.stringContaining('did not say whether this was done'),
  parts: { headers: { 'Retry-After': '1' } },
};

describe('a transaction', () => {
  it.each<[string, Scene]>([
    ['a conflict', conflict],
    ['a throttled item', cancel({ Code: 'ThrottlingError' })],
    ['an item with too much to do', cancel({ Code: 'ProvisionedThroughputExceeded' })],
    ['a conflict of its own', fail('TransactionConflictException')],
    ['a throttled request', throttled],
    ['an attempt that is still under way', fail('TransactionInProgressException')],
    ['a failure', fail('InternalServerError', {}, 500)],
    ['a cut connection', cut],
    ['an answer that was cut short', halfDone],
    ['an answer that is no JSON', noJson],
  ])('is attempted again under the same token after %s', async (_, scene) => {
    script = [scene, scene, done];

    expect(await attempt(5000, [put(), put()])).toBe('done');

    expect(tokens).toHaveLength(3);
    expect(new Set(tokens).size).toBe(1);
    const sent = { Put: { TableName: 'packages', Item: { name_key: { S: 'a' } } } };
    expect(items).toEqual([
      [sent, sent],
      [sent, sent],
      [sent, sent],
    ]);
  });

  it('has a token of its own, of 12 characters, or that of its commit marker', async () => {
    script = [done];

    await attempt(1000);
    await attempt(1000);
    await attempt(
      1000,
      [put()],
      commitMarker(async () => false),
    );

    expect(new Set(tokens).size).toBe(3);
    expect(tokens[2]).toBe('this-write');
    expect(makeWriteId()).toMatch(/^[\w-]{12}$/);
  });

  it('is refused by the first write whose condition fails, which is told what is stored', async () => {
    const failed = { Code: 'ConditionalCheckFailed', Item: { count: { N: '7' } } };
    script = [cancel(none, failed, { Code: 'ConditionalCheckFailed' })];
    const refuse = (name: string) => (stored: unknown) =>
      Object.assign(new Error(name), { stored });

    const error = await attempt(
      1000,
      ['one', 'two', 'three'].map((name) => put(refuse(name))),
    );

    expect(error).toMatchObject({ message: 'two', stored: { count: 7 } });
    expect(tokens).toHaveLength(1);
  });

  it('tells a write nothing of an item that is not there', async () => {
    script = [cancel({ Code: 'ConditionalCheckFailed' })];
    const refuse = (stored: unknown) => new Error(`stored: ${stored}`);

    expect(await attempt(1000, [put(refuse)])).toMatchObject({ message: 'stored: undefined' });
  });

  it.each<[string, Scene, string]>([
    [
      'a condition that stands for no refusal',
      cancel({ Code: 'ConditionalCheckFailed' }),
      'TransactionCanceledException',
    ],
    [
      'an item that is too large',
      cancel({ Code: 'ValidationError' }),
      'TransactionCanceledException',
    ],
    [
      'a cancellation without reasons',
      fail('TransactionCanceledException'),
      'TransactionCanceledException',
    ],
    ['a request that is wrong', fail('ValidationException'), 'ValidationException'],
    ['a request that is denied', fail('AccessDeniedException'), 'AccessDeniedException'],
  ])('ends at once with %s', async (_, scene, name) => {
    script = [scene, done];

    expect(await attempt(5000)).toMatchObject({ name });

    expect(tokens).toHaveLength(1);
  });

  it('of which one write refuses is refused so, though another one met with a conflict', async () => {
    script = [cancel({ Code: 'TransactionConflict' }, { Code: 'ConditionalCheckFailed' }), done];

    const error = await attempt(1000, [put(), put(() => new Error('refused'))]);

    expect(error).toMatchObject({ message: 'refused' });
    expect(error).not.toBeInstanceOf(TransactionCanceledException);
  });
});

describe('a transaction that runs out of time', () => {
  it.each<[string, Scene]>([
    ['conflicts', conflict],
    ['too many requests', throttled],
  ])('for %s says that nothing was changed', async (_, scene) => {
    script = [scene];

    expect(await attempt(600)).toMatchObject(contention);

    expect(tokens.length).toBeGreaterThan(2);
    // Each waits longer than the one before.
    expect(tokens.length).toBeLessThan(30);
    expect(clock.passedMs()).toBeLessThanOrEqual(600);
  });

  it('says that nothing was changed where nobody was there', async () => {
    await standIn.close();

    expect(await attempt(300)).toMatchObject(unreached);

    standIn = await serveStandIn(play);
  });

  it('does not begin another attempt that would come too late', async () => {
    script = [conflict];
    // Time enough for one attempt, and then for no pause.
    const left = [3000, 15];
    const deadline = { remainingMs: () => left.shift() ?? 0 };

    await expect(transact([put()], deadline)).rejects.toMatchObject(contention);

    expect(tokens).toHaveLength(1);
  });

  it('does not begin another attempt where one takes longer than what is left', async () => {
    script = [
      (response) => {
        clock.pass(400);
        conflict(response);
      },
    ];

    expect(await attempt(1000)).toMatchObject(contention);

    expect(tokens).toHaveLength(1);
  });

  it('waits for an answer no longer than that', async () => {
    script = [silence];

    expect(await attempt(300)).toMatchObject(unknown);

    expect(clock.passedMs()).toBe(300);
  });

  it.each<[string, Scene[]]>([
    ['every answer was lost', [cut]],
    ['an attempt was still under way', [fail('TransactionInProgressException')]],
    ['an answer was no JSON', [noJson]],
    ['one answer was lost, and then came conflicts', [cut, conflict]],
    ['one failed, and then too many came', [fail('InternalServerError', {}, 500), throttled]],
  ])('says that nobody knows where %s', async (_, scenes) => {
    script = scenes;

    expect(await attempt(500)).toMatchObject(unknown);
  });

  it('is done where its commit marker is written', async () => {
    script = [cut];

    expect(
      await attempt(
        300,
        [put()],
        commitMarker(async () => true),
      ),
    ).toBe('done');
  });

  it.each<[string, CommitMarker['isWritten']]>([
    ['tells that it is not there', async () => false],
    ['fails', () => Promise.reject(new Error('a fault of the commit marker'))],
    ['says nothing', () => new Promise(() => void setImmediate(() => clock.pass(800)))],
  ])('says that nobody knows if its commit marker %s', async (_, isWritten) => {
    script = [cut];

    expect(await attempt(300, [put()], commitMarker(isWritten))).toMatchObject(unknown);
  });

  it('does not read its commit marker if nothing can have been done, or if it was refused', async () => {
    let asked = 0;
    const asking = commitMarker(async () => {
      asked += 1;
      return true;
    });
    script = [conflict];
    const contended = await attempt(200, [put()], asking);
    script = [cancel({ Code: 'ConditionalCheckFailed' })];
    const refused = await attempt(200, [put(() => new Error('refused'))], asking);

    expect([contended, refused]).toMatchObject([contention, { message: 'refused' }]);
    expect(asked).toBe(0);
  });
});

it('waits for an answer that does not come no longer than three seconds, and attempts again', async () => {
  script = [silence, done];

  expect(await attempt(10_000)).toBe('done');

  const [pause = 0] = clock.pauses;
  expect(clock.passedMs()).toBe(3000 + pause);
});
