import type { RequestListener } from 'node:http';
import { afterEach, expect, it } from 'vitest';
import { findRetryableFailure } from '../../../shared/storage/dynamodb/attempt.ts';
import { getItem } from '../../../shared/storage/dynamodb/read.ts';
import { defineTable } from '../../../shared/storage/dynamodb/table.ts';
import { pointStoreAt } from '../../support/engine.ts';
import { useSimulatedClock } from '../../support/simulated-clock.ts';
import { type StandIn, serveStandIn } from '../../support/stand-in.ts';

/** How reads go with a storage that stalls, fails or has too much to do. */

const clock = useSimulatedClock();

let standIn: StandIn | undefined;
afterEach(() => standIn?.close());

const serve = async (answer: RequestListener): Promise<void> => {
  standIn = await serveStandIn(answer);
  pointStoreAt({
    endpoint: standIn.url,
    region: 'us-east-1',
    credentials: { accessKeyId: 'test', secretAccessKey: 'test' },
  });
};

const contentType = { 'content-type': 'application/x-amz-json-1.0' };
const table = defineTable<{ count: number }>('packages');
const read = () => getItem(table, { name_key: 'a', version_key: 'b' });
const item = JSON.stringify({ Item: { count: { N: '7' } } });

const throttled = JSON.stringify({
  __type: 'com.amazonaws.dynamodb.v20120810#ThrottlingException',
  message: 'Too many',
});

it('ends an answer that begins and stalls, and says that the storage did not answer', async () => {
  await serve((_, response) => {
    response.writeHead(200, { ...contentType, 'content-length': item.length });
    response.write(item.slice(0, 10), clock.passToLimit);
  });

  const error = await read().catch((caught: unknown) => caught);

  expect(error).toMatchObject({
    code: 'storage_unavailable',
    message: 'The storage did not answer. Try again.',
    parts: { headers: { 'Retry-After': '1' } },
  });
  // One attempt of three seconds, and another one.
  expect(clock.passedMs()).toBeLessThan(8000);
});

it('reads on after an answer that was cut short', async () => {
  let count = 0;
  await serve((_, response) => {
    count += 1;
    response.writeHead(200, { ...contentType, 'content-length': item.length });
    if (count > 1) response.end(item);
    else response.write(item.slice(0, 10), () => response.destroy());
  });

  expect(await read()).toEqual({ count: 7 });
});

it('survives any number of single failures, one after the other', async () => {
  let count = 0;
  await serve((_, response) => {
    count += 1;
    response.writeHead(count % 2 === 1 ? 500 : 200, contentType);
    response.end(count % 2 === 1 ? '{}' : item);
  });

  for (let at = 0; at < 40; at += 1) expect(await read()).toEqual({ count: 7 });
});

it('says when to come again where reads are throttled all the time', async () => {
  let count = 0;
  await serve((_, response) => {
    count += 1;
    response.writeHead(400, contentType);
    response.end(throttled);
  });

  const error = await read().catch((caught: unknown) => caught);

  expect(error).toMatchObject({
    code: 'storage_unavailable',
    message: 'The storage has too much to do at the moment. Try again.',
    parts: { headers: { 'Retry-After': '1' } },
  });
  // Each attempt waits longer than the one before, up to a limit.
  expect(count).toBeLessThan(100);
  expect(clock.pauses).toHaveLength(count - 1);
  expect(clock.passedMs()).toBeLessThan(4000);
});

it('does not read again what is wrong in itself', async () => {
  let count = 0;
  await serve((_, response) => {
    count += 1;
    response.writeHead(400, contentType);
    response.end(JSON.stringify({ __type: 'com.amazon.coral.validate#ValidationException' }));
  });

  await expect(read()).rejects.toMatchObject({ name: 'ValidationException' });

  expect(count).toBe(1);
});

it.each(['ECONNREFUSED', 'EHOSTUNREACH', 'ENETUNREACH', 'ENOTFOUND', 'EAI_AGAIN'])(
  'knows that nothing was sent where the network says %s',
  (code) => {
    expect(findRetryableFailure(Object.assign(new Error('no way'), { code }))).toBe('unreached');
  },
);

it.each([['no error'], [undefined], [new Error('something else')], [new SyntaxError('our own')]])(
  'takes %s for no retryable failure',
  (error) => {
    expect(findRetryableFailure(error)).toBeUndefined();
  },
);
