import { StoredScan } from '../../api/schemas/scan.ts';
import { maxAnswerBytes, measureAnswer } from '../../domain/answer-size.ts';
import { refuseInvalid } from '../../domain/errors.ts';
import { type PackageId, toVersionKey } from '../../domain/packages/package-id.ts';
import type { Actor } from '../../domain/tokens/actor.ts';
import { type MergedScan, toMergedScanTable } from '../../domain/vulnerabilities/merged-scan.ts';
import type { ScanResult } from '../../domain/vulnerabilities/scan-result.ts';
import { findScanSourceId } from '../../domain/vulnerabilities/scan-source.ts';
import { maxPackedBytes, pack, unpack } from '../dynamodb/pack.ts';
import { batchGet, queryItems, queryPages, type Range } from '../dynamodb/read.ts';
import { formatSortableNumber } from '../dynamodb/sortable-number.ts';
import { defineTable } from '../dynamodb/table.ts';
import { putItem, type Write } from '../dynamodb/write.ts';

/** Stored scan, with compressed vulnerabilities. It is immutable. */
interface ScanItem {
  readonly package_key: string;
  readonly scan_key: string;
  readonly summary: Omit<ScanResult, 'vulnerabilities'>;
  readonly vulnerabilities: Uint8Array;
  readonly token_label: string | null;
  readonly token_fingerprint: string | null;
  readonly token_may_review: boolean;
}

/** Scan result with its number and sender. */
export interface SavedScan {
  readonly number: number;
  readonly result: ScanResult;
  readonly actor: Actor;
  /** True if the token may review as well as submit. */
  readonly mayReview: boolean;
}

const scansTable = defineTable<ScanItem>('scans');

const packFindings = ({ vulnerabilities }: ScanResult): Buffer => {
  const bytes = pack(vulnerabilities);
  if (bytes.length <= maxPackedBytes) return bytes;
  throw refuseInvalid(
    'body',
    `has ${vulnerabilities.length} vulnerabilities, which is more than one scan can hold: upload a report of fewer components`,
  );
};

const toKeptScan = (item: ScanItem): SavedScan => ({
  number: Number(item.scan_key),
  result: StoredScan.parse({ ...item.summary, vulnerabilities: unpack(item.vulnerabilities) }),
  actor: { label: item.token_label, fingerprint: item.token_fingerprint },
  mayReview: item.token_may_review,
});

const selectScans = (id: PackageId): Range => ({
  KeyConditionExpression: 'package_key = :key',
  ExpressionAttributeValues: { ':key': toVersionKey(id) },
  ScanIndexForward: false,
});

/** Returns the number of scans of a version, which is the number of the latest. */
export const countScans = async (id: PackageId): Promise<number> => {
  const [item] = await queryItems(scansTable, selectScans(id), 1);
  return item ? Number(item.scan_key) : 0;
};

/** Returns the keys of those versions that were ever scanned. */
export const findScanned = async (ids: readonly PackageId[]): Promise<Set<string>> => {
  const first = ids.map((id) => ({
    package_key: toVersionKey(id),
    scan_key: formatSortableNumber(1),
  }));
  const items = await batchGet(scansTable, first);
  return new Set(items.map(({ package_key }) => package_key));
};

/** Returns the scan with a number; undefined if there is none. */
export const findScan = async (id: PackageId, number: number): Promise<SavedScan | undefined> => {
  const [item] = await queryItems(scansTable, {
    KeyConditionExpression: 'package_key = :key AND scan_key = :number',
    ExpressionAttributeValues: {
      ':key': toVersionKey(id),
      ':number': formatSortableNumber(number),
    },
  });
  return item && toKeptScan(item);
};

/** Returns the range of scans of a version from a number down. */
const selectDown = (id: PackageId, from: number): Range => ({
  ...selectScans(id),
  KeyConditionExpression: 'package_key = :key AND scan_key <= :from',
  ExpressionAttributeValues: { ':key': toVersionKey(id), ':from': formatSortableNumber(from) },
});

/**
 * Yields the scans of a range in order, up to `count` if given. Each call reads as many as one answer of DynamoDB can
 * hold, on demand.
 * Ends early if the read budget is used up.
 */
async function* readScans(range: Range, count?: number): AsyncGenerator<SavedScan> {
  for await (const items of queryPages(scansTable, range, { count, endsEarly: true })) {
    for (const item of items) yield toKeptScan(item);
  }
}

/**
 * Yields the scans of a version from a number down to the first, newest first. Ends early if the read budget is used
 * up.
 */
export const scansDown = (id: PackageId, from: number): AsyncGenerator<SavedScan> =>
  readScans(selectDown(id, from));

/** Returns a scan as the API shows it, with its number and token label. */
export const showScan = ({ number, result, actor }: SavedScan): MergedScan =>
  toMergedScanTable(result, { number, label: actor.label });

/**
 * Returns a page of a version's scans, newest first, and the total. Long scans may make the page shorter than
 * requested.
 */
export const listScans = async (
  id: PackageId,
  { limit, offset }: { readonly limit: number; readonly offset: number },
): Promise<{ scans: MergedScan[]; total: number; limit: number }> => {
  // The number of the newest scan is the total; the first page begins with that scan.
  let total = offset === 0 ? undefined : await countScans(id);
  if (total !== undefined && total <= offset) return { scans: [], total, limit };
  const range = total === undefined ? selectScans(id) : selectDown(id, total - offset);
  const scans: MergedScan[] = [];
  let bytes = 0;
  for await (const kept of readScans(range, limit)) {
    total ??= kept.number;
    const scan = showScan(kept);
    bytes += measureAnswer(scan);
    if (scans.length > 0 && bytes > maxAnswerBytes) return { scans, total, limit: scans.length };
    scans.push(scan);
  }
  const isCut = scans.length > 0 && scans.length < Math.min(limit, (total ?? 0) - offset);
  return { scans, total: total ?? 0, limit: isCut ? scans.length : limit };
};

/** Error of a scan number that is taken. The review state is out of date then, as after a restore. */
export class NumberTakenError extends Error {
  override readonly name = 'NumberTakenError';
}

/** Returns the id of the scan source of a scan. */
export const scanSourceOf = ({ result, actor }: Omit<SavedScan, 'number'>): string =>
  findScanSourceId({ tools: result.tools_used, actor });

/**
 * Returns the write that adds a scan; scans are never changed. Fails with `NumberTakenError` if the number is taken.
 */
export const putScan = (id: PackageId, { number, result, actor, mayReview }: SavedScan): Write => {
  const { vulnerabilities: _, ...summary } = result;
  const item = {
    package_key: toVersionKey(id),
    scan_key: formatSortableNumber(number),
    summary,
    vulnerabilities: packFindings(result),
    token_label: actor.label,
    token_fingerprint: actor.fingerprint,
    token_may_review: mayReview,
  };
  return putItem(scansTable, item, {
    ConditionExpression: 'attribute_not_exists(scan_key)',
    refuse: () => new NumberTakenError(`Scan ${number} of ${id.name} ${id.version} came first`),
  });
};
