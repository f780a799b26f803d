import { gunzipSync, gzipSync } from 'node:zlib';
import type { Deadline } from '../../deadline.ts';
import { maxAnswerBytes, measureAnswer } from '../../domain/answer-size.ts';
import { refuseInvalid } from '../../domain/errors.ts';
import { type ScanEvidence, toScanEvidence } from '../../domain/evidence.ts';
import { type PackageId, toVersionKey } from '../../domain/package-id.ts';
import type { ScanStatus } from '../../domain/scans/scan-result.ts';
import { ScanResult } from '../../schemas/scan.ts';
import { queryItems, type Range } from '../read.ts';
import { noteScan } from '../reviews/heads.ts';
import { defineTable } from '../table.ts';
import { transact } from '../transact.ts';
import { putItem, type Write } from '../write.ts';
import { dropUnscanned, noteUnscanned } from './unscanned.ts';

/** A scan as it is stored: its vulnerabilities are compressed. */
interface ScanItem {
  readonly package_key: string;
  readonly scan_key: string;
  readonly summary: Omit<ScanResult, 'vulnerabilities'>;
  readonly vulnerabilities: Uint8Array;
}

const scansTable = defineTable<ScanItem>('scans');

/** Scans of a version are numbered from 1; the number as text, so that the latest sorts last. */
const numberWidth = 8;

const formatNumber = (number: number): string => String(number).padStart(numberWidth, '0');

/** DynamoDB's limit of an item is 400 KB. */
const maxPackedBytes = 380 * 1024;

/** How many scans of the history are read at a time. */
const scansAtATime = 10;

/** Findings of one vulnerability repeat words of the others': packed, they take an eighth. */
const pack = ({ vulnerabilities }: ScanResult): Buffer => {
  const bytes = gzipSync(JSON.stringify(vulnerabilities));
  if (bytes.length <= maxPackedBytes) return bytes;
  throw refuseInvalid(
    'body',
    `has ${vulnerabilities.length} vulnerabilities, which is more than one scan can hold: upload a report of fewer components`,
  );
};

const unpack = ({ summary, vulnerabilities }: ScanItem): ScanResult =>
  ScanResult.parse({
    ...summary,
    vulnerabilities: JSON.parse(gunzipSync(vulnerabilities).toString()),
  });

const selectScans = (id: PackageId): Range => ({
  KeyConditionExpression: 'package_key = :key',
  ExpressionAttributeValues: { ':key': toVersionKey(id) },
  ScanIndexForward: false,
});

/** A scan and its number; number 0 where there is none. */
export interface NumberedScan {
  readonly number: number;
  readonly scan?: ScanResult;
}

/** The latest scan of a package version, and so how many there are: it has the highest number. */
export const findNumberedScan = async (id: PackageId): Promise<NumberedScan> => {
  const [item] = await queryItems(scansTable, selectScans(id), 1);
  return item ? { number: Number(item.scan_key), scan: unpack(item) } : { number: 0 };
};

/** The latest scan of a package version; undefined if it was never scanned. */
export const findLatestScan = async (id: PackageId): Promise<ScanResult | undefined> =>
  (await findNumberedScan(id)).scan;

/** The scans of the numbers from `last` down to `first`. */
const readScans = async (id: PackageId, first: number, last: number): Promise<ScanResult[]> => {
  const items = await queryItems(scansTable, {
    ...selectScans(id),
    KeyConditionExpression: 'package_key = :key AND scan_key BETWEEN :first AND :last',
    ExpressionAttributeValues: {
      ':key': toVersionKey(id),
      ':first': formatNumber(first),
      ':last': formatNumber(last),
    },
  });
  return items.map(unpack);
};

/** The scan of a number; undefined if there is none. */
export const findScan = async (id: PackageId, number: number): Promise<ScanResult | undefined> => {
  const [scan] = await readScans(id, number, number);
  return scan;
};

/** The scans from one number down to another, newest first, read a few at a time. */
async function* scansDown(id: PackageId, from: number, to: number): AsyncGenerator<ScanResult> {
  for (let last = from; last >= to; last -= scansAtATime) {
    yield* await readScans(id, Math.max(to, last - scansAtATime + 1), last);
  }
}

/** The latest scan that says anything about the version: one that broke does not undo what was found before. */
export const findLatestFinishedScan = async (id: PackageId): Promise<ScanEvidence | undefined> => {
  const { number, scan: latest } = await findNumberedScan(id);
  if (!latest) return undefined;
  if (latest.status !== 'error') return toScanEvidence(latest, number);
  let at = number;
  for await (const scan of scansDown(id, number - 1, 1)) {
    at -= 1;
    if (scan.status !== 'error') return toScanEvidence(scan, at);
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
    bytes += measureAnswer(scan);
    if (scans.length > 0 && bytes > maxAnswerBytes) return { scans, total, limit: scans.length };
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
  const item = {
    package_key: toVersionKey(id),
    scan_key: formatNumber(number),
    summary,
    vulnerabilities: pack(result),
  };
  return putItem(scansTable, item, {
    ConditionExpression: 'attribute_not_exists(scan_key)',
    refuse: () => new NumberTakenError(`Scan ${number} of ${id.name} ${id.version} came first`),
  });
};

interface ScanContext {
  readonly deadline: Deadline;
  /** What else is written in the same transaction, such as the answer that an Idempotency-Key stands for. */
  readonly remember?: (result: ScanResult) => readonly Write[];
}

/** A version and what is known of its scans: the number of the latest, and its status; 0 and none before the first. */
export interface ScannedVersion {
  readonly id: PackageId;
  readonly number: number;
  readonly status: ScanStatus | undefined;
}

/** What the scan means for the list of versions that are still to be scanned. */
const followList = ({ id, status: before }: ScannedVersion, { status }: ScanResult): Write[] => {
  if (status === 'error') return before === 'error' ? [] : noteUnscanned(id);
  return before === undefined || before === 'error' ? dropUnscanned(id) : [];
};

/** Keeps a scan after the latest one that is known, unless another came first; resolves to whether it was kept. */
export const keepScanAfter = async (
  latest: ScannedVersion,
  result: ScanResult,
  { deadline, remember = () => [] }: ScanContext,
): Promise<boolean> => {
  const { id } = latest;
  const number = latest.number + 1;
  const writes = [
    ...remember(result),
    putScan(id, result, number),
    noteScan(id, toScanEvidence(result, number)),
    ...followList(latest, result),
  ];
  try {
    await transact(writes, deadline);
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
    const { number, scan } = await findNumberedScan(id);
    isKept = await keepScanAfter({ id, number, status: scan?.status }, result, context);
  }
};
