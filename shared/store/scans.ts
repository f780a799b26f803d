import { gunzipSync, gzipSync } from 'node:zlib';
import type { QueryCommandInput } from '@aws-sdk/lib-dynamodb';
import { tableName } from '../config/env.ts';
import { invalid } from '../domain/errors.ts';
import { type PackageId, packageVersionKey } from '../domain/package-id.ts';
import { answerBytes, limits } from '../domain/scans/limits.ts';
import { ScanResult } from '../schemas/scan.ts';
import type { Item } from './dynamodb.ts';
import { queryItems } from './query-items.ts';
import { type Deadline, transact, type Write } from './transact.ts';

/** Scans of a version are numbered from 1; the number as text, so that the latest sorts last. */
const numberWidth = 8;

const scanKey = (number: number): string => String(number).padStart(numberWidth, '0');

/** DynamoDB's limit of an item is 400 KB. */
const maxPackedBytes = 380 * 1024;

/** How many scans of the history are read at a time. */
const scansAtATime = 10;

/** Findings of one vulnerability repeat words of the others': packed, they take an eighth. */
const packed = ({ vulnerabilities }: ScanResult): Buffer => {
  const bytes = gzipSync(JSON.stringify(vulnerabilities));
  if (bytes.length <= maxPackedBytes) return bytes;
  throw invalid(
    'body',
    `has ${vulnerabilities.length} vulnerabilities, which is more than one scan can hold: upload a report of fewer components`,
  );
};

const unpacked = (item: Item): ScanResult =>
  ScanResult.parse({
    ...(item['summary'] as object),
    vulnerabilities: JSON.parse(gunzipSync(item['vulnerabilities'] as Uint8Array).toString()),
  });

const scansOf = (id: PackageId): QueryCommandInput => ({
  TableName: tableName('scans'),
  KeyConditionExpression: 'package_key = :key',
  ExpressionAttributeValues: { ':key': packageVersionKey(id) },
  ScanIndexForward: false,
});

/** A scan and its number; number 0 where there is none. */
export interface NumberedScan {
  readonly number: number;
  readonly scan?: ScanResult;
}

/** The latest scan of a package version, and so how many there are: it has the highest number. */
export const findNumberedScan = async (id: PackageId): Promise<NumberedScan> => {
  const [item] = await queryItems(scansOf(id), 1);
  return item ? { number: Number(item['scan_key']), scan: unpacked(item) } : { number: 0 };
};

/** The latest scan of a package version; undefined if it was never scanned. */
export const findLatestScan = async (id: PackageId): Promise<ScanResult | undefined> =>
  (await findNumberedScan(id)).scan;

/** The scans of the numbers from `last` down to `first`. */
const readScans = async (id: PackageId, first: number, last: number): Promise<ScanResult[]> => {
  const items = await queryItems({
    ...scansOf(id),
    KeyConditionExpression: 'package_key = :key AND scan_key BETWEEN :first AND :last',
    ExpressionAttributeValues: {
      ':key': packageVersionKey(id),
      ':first': scanKey(first),
      ':last': scanKey(last),
    },
  });
  return items.map(unpacked);
};

/** The scans from one number down to another, newest first, read a few at a time. */
async function* scansDown(id: PackageId, from: number, to: number): AsyncGenerator<ScanResult> {
  for (let last = from; last >= to; last -= scansAtATime) {
    yield* await readScans(id, Math.max(to, last - scansAtATime + 1), last);
  }
}

/** The latest scan that says anything about the version: one that broke does not undo what was found before. */
export const findLatestFinishedScan = async (id: PackageId): Promise<ScanResult | undefined> => {
  const { number, scan: latest } = await findNumberedScan(id);
  if (latest?.status !== 'error') return latest;
  for await (const scan of scansDown(id, number - 1, 1)) {
    if (scan.status !== 'error') return scan;
  }
  return undefined;
};

/** A page of a version's scans, newest first, and how many there are in all. Scans that are very long make it shorter than asked. */
export const listScans = async (
  id: PackageId,
  { limit, offset }: { readonly limit: number; readonly offset: number },
): Promise<{ scans: ScanResult[]; total: number; limit: number }> => {
  const { number: total } = await findNumberedScan(id);
  const newest = total - offset;
  const scans: ScanResult[] = [];
  let bytes = 0;
  for await (const scan of scansDown(id, newest, Math.max(1, newest - limit + 1))) {
    bytes += answerBytes(scan);
    if (scans.length > 0 && bytes > limits.resultBytes)
      return { scans, total, limit: scans.length };
    scans.push(scan);
  }
  return { scans, total, limit };
};

/** Another scan of the version was kept at the same moment. */
class NumberTakenError extends Error {
  override readonly name = 'NumberTakenError';
}

const putScan = (id: PackageId, result: ScanResult, number: number): Write => {
  const { vulnerabilities: _, ...summary } = result;
  return {
    operation: {
      Put: {
        TableName: tableName('scans'),
        Item: {
          package_key: packageVersionKey(id),
          scan_key: scanKey(number),
          summary,
          vulnerabilities: packed(result),
        },
        ConditionExpression: 'attribute_not_exists(scan_key)',
      },
    },
    refuse: () => new NumberTakenError(`Scan ${number} of ${id.name} ${id.version} came first`),
  };
};

interface ScanContext {
  readonly deadline: Deadline;
  /** What else is written in the same transaction, such as the answer that an Idempotency-Key stands for. */
  readonly remember?: (result: ScanResult) => readonly Write[];
}

/** Keeps a scan after the one of this number, unless another came first; resolves to whether it was kept. */
export const keepScanAfter = async (
  { id, number }: { readonly id: PackageId; readonly number: number },
  result: ScanResult,
  { deadline, remember = () => [] }: ScanContext,
): Promise<boolean> => {
  try {
    await transact([...remember(result), putScan(id, result, number + 1)], deadline);
    return true;
  } catch (error) {
    if (error instanceof NumberTakenError) return false;
    throw error;
  }
};

/** Keeps a scan after all that are there. */
export const keepScan = async (
  id: PackageId,
  result: ScanResult,
  context: ScanContext,
): Promise<void> => {
  let isKept = false;
  // Each time another one got through, so this ends.
  while (!isKept) {
    const { number } = await findNumberedScan(id);
    isKept = await keepScanAfter({ id, number }, result, context);
  }
};
