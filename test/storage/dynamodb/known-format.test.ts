import { DynamoDBClient, GetItemCommand } from '@aws-sdk/client-dynamodb';
import { marshall } from '@aws-sdk/util-dynamodb';
import { afterAll, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import { dataFormat } from '../../../shared/api/data-format.ts';
import { type FormatItem, formatKey } from '../../../shared/storage/dynamodb/format-item.ts';
import { startEngine, type TestEngine } from '../../support/engine.ts';
import { putFormats } from '../../support/formats.ts';

let engine: TestEngine;
beforeAll(async () => {
  engine = await startEngine();
});
afterAll(() => engine.close());

let now = 0;
let checks = 0;
let client: DynamoDBClient;
let waitForFormat: typeof import('../../../shared/storage/dynamodb/wait-for-format.ts').waitForFormat;
beforeEach(async () => {
  // The modules of a new function instance. Those of this process accept any format.
  vi.resetModules();
  const { addFormatCheck } = await import('../../../shared/storage/dynamodb/known-format.ts');
  ({ waitForFormat } = await import('../../../shared/storage/dynamodb/wait-for-format.ts'));
  const { endpoint, region, credentials } = engine;
  client = new DynamoDBClient({ endpoint, region, credentials });
  addFormatCheck(client);
  checks = 0;
  client.middlewareStack.add(
    (next, { commandName }) =>
      (args) => {
        if (commandName === 'BatchGetItemCommand') checks += 1;
        return next(args);
      },
    { step: 'build' },
  );
  vi.spyOn(performance, 'now').mockImplementation(() => now);
  return () => {
    vi.restoreAllMocks();
    client.destroy();
  };
});

const setFormat = (item: FormatItem): Promise<void> => putFormats(engine, {}, item);
const read = (): Promise<unknown> =>
  client.send(new GetItemCommand({ TableName: 'packages', Key: marshall(formatKey('packages')) }));
/** A deadline at which a worker no longer waits. */
const over = { remainingMs: () => 0 };
const upgrading = { format: dataFormat, upgrading_to: dataFormat + 1 };

describe('the check of the data format', () => {
  it.each([
    [
      'earlier',
      { format: dataFormat - 1 },
      true,
      /upgrade of the stored data to format \d+ has not begun yet/,
    ],
    [
      'interrupted',
      upgrading,
      true,
      new RegExp(`upgrade to data format ${dataFormat + 1} has not ended`),
    ],
    ['later', { format: dataFormat + 1 }, false, /knows format \d+ only/],
  ])('refuses %s data, and says whether it passes', async (_, item, isTemporary, message) => {
    await setFormat(item);

    await expect(read()).rejects.toMatchObject({
      ...{ isTemporary, message: expect.stringMatching(message) },
      code: 'storage_unavailable',
    });
  });

  it('is made once by endpoints, which end before a migration changes anything', async () => {
    await setFormat({ format: dataFormat });
    await Promise.all([read(), read()]);
    now += 60_000;
    await read();

    expect(checks).toBe(1);
  });

  it('is repeated in a long run, which writes nothing after the start of an upgrade', async () => {
    await setFormat({ format: dataFormat });
    await waitForFormat(over);
    now += 9000;
    await setFormat(upgrading);
    await read();
    now += 1000;

    await expect(read()).rejects.toThrow(/has not ended/);
    await setFormat({ format: dataFormat + 1 });
    await expect(read()).rejects.toThrow(/knows format \d+ only/);
  });

  it('is not repeated for a short run in a warm instance', async () => {
    await setFormat({ format: dataFormat });
    for (let run = 0; run < 3; run += 1) {
      await waitForFormat(over);
      await read();
      now += 60_000;
    }

    expect(checks).toBe(1);
  });
});
