/**
 * Check that the tables have the format of this release. A function makes it before its first request to DynamoDB, and a
 * worker repeats it in a long run.
 */
import {
  type AttributeValue,
  BatchGetItemCommand,
  type DynamoDBClient,
} from '@aws-sdk/client-dynamodb';
import { dataFormat } from '../../api/data-format.ts';
import { type TableId, tableIds } from '../../api/resources.ts';
import { findTableName } from '../../api/settings/env.ts';
import { DataFormatError } from './data-format-error.ts';
import { formatKey } from './format-item.ts';
import { setFormatCheck } from './wait-for-format.ts';

type Row = Readonly<Record<string, AttributeValue>>;

const toTemporary = (reason: string): DataFormatError =>
  new DataFormatError(`${reason}. Nothing was changed; try again.`, true);

/** @throws {DataFormatError} unless the item with a table's format has the number of this release, without an upgrade */
const checkRow = (id: TableId, row: Row | undefined): void => {
  if (row === undefined) {
    throw toTemporary(`The table of ${id} has no format yet: the deployment has not ended`);
  }
  const next = row['upgrading_to']?.N;
  if (next) {
    // After a rollback, the number shows which release has to be deployed again.
    throw toTemporary(`The upgrade to data format ${next} has not ended`);
  }
  const format = Number(row['format']?.N);
  if (format === dataFormat) return;
  if (format < dataFormat) {
    throw toTemporary(`The upgrade of the stored data to format ${dataFormat} has not begun yet`);
  }
  throw new DataFormatError(
    `The table of ${id} has data of format ${format}, and this release knows format ${dataFormat} only. Operators have to deploy the release of the data.`,
    false,
  );
};

const toMarshalled = (key: Readonly<Record<string, string>>): Record<string, AttributeValue> =>
  Object.fromEntries(Object.entries(key).map(([name, value]) => [name, { S: value }]));

/** Returns the function's tables by their names in the deployment. */
const listOwnTables = (): ReadonlyMap<string, TableId> =>
  new Map(
    tableIds.flatMap((id) => {
      const name = findTableName(id);
      return name === undefined ? [] : [[name, id] as const];
    }),
  );

const makeQuestion = (own: ReadonlyMap<string, TableId>): BatchGetItemCommand =>
  new BatchGetItemCommand({
    RequestItems: Object.fromEntries(
      [...own].map(([name, id]) => [
        name,
        { Keys: [toMarshalled(formatKey(id))], ConsistentRead: true },
      ]),
    ),
  });

/**
 * Longest age of a check in the run of a worker, in milliseconds. With the longest attempt of a request (3 s), it has to be below
 * the time that a migration waits before its first change.
 */
const runMaxAgeMs = 10_000;

let acceptsAny = false;
/** Time of `performance.now` at which the tables had the format of this release. */
let checkedAt: number | undefined;
/** Longest age of a check. Endpoints end before a migration changes anything. */
let maxAgeMs = Infinity;
let current: Promise<void> | undefined;

/** Accepts each format from now on. Only the migration works with tables in other formats. */
export const acceptAnyFormat = (): void => {
  acceptsAny = true;
};

const questions = new WeakSet<object>();

const askTables = async (client: DynamoDBClient): Promise<void> => {
  const own = listOwnTables();
  if (own.size === 0) return;
  const question = makeQuestion(own);
  questions.add(question.input);
  const { Responses = {} } = await client.send(question);
  for (const [name, id] of own) checkRow(id, Responses[name]?.[0]);
};

/**
 * Checks the tables of the function in one call, until they have the format of this release, and again after some seconds of a
 * worker's run.
 * @throws {DataFormatError}
 */
const checkFormat = async (client: DynamoDBClient): Promise<void> => {
  const now = performance.now();
  if (acceptsAny || (checkedAt !== undefined && now < checkedAt + maxAgeMs)) return;
  checkedAt = undefined;
  current ??= askTables(client).finally(() => {
    current = undefined;
  });
  await current;
  checkedAt = now;
};

/**
 * Checks the format at the start of a worker's run. A deployment changes the format only after all functions have their new
 * code, and Lambda starts no run in an instance with earlier code. So an earlier check still counts at the start. But a run can
 * take longer than the migration waits, so that it checks again after some seconds.
 * @throws {DataFormatError}
 */
const startRun = async (client: DynamoDBClient): Promise<void> => {
  maxAgeMs = runMaxAgeMs;
  if (checkedAt !== undefined) checkedAt = performance.now();
  await checkFormat(client);
};

/** Makes a client check the format before its first request, and workers before each event and during long runs. */
export const addFormatCheck = (client: DynamoDBClient): void => {
  setFormatCheck(() => startRun(client));
  client.middlewareStack.add(
    (next) => async (args) => {
      if (!questions.has(args.input)) await checkFormat(client);
      return next(args);
    },
    { step: 'initialize', name: 'checkFormat', priority: 'high' },
  );
};
