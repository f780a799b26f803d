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

/** A scan as it is stored: its vulnerabilities are compressed. It stays as it is for ever. */
interface ScanItem {
  readonly package_key: string;
  readonly scan_key: string;
  readonly summary: Omit<ScanResult, 'vulnerabilities'>;
  readonly vulnerabilities: Uint8Array;
  readonly token_label: string | null;
  readonly token_fingerprint: string | null;
  readonly token_may_review: boolean;
}

/** A scan as it was made, its number, and who sent it. */
export interface SavedScan {
  readonly number: number;
  readonly result: ScanResult;
  readonly actor: Actor;
  /** Whether the token may review, and not only submit. */
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

/** How many scans of a version there are, by the number of the latest. */
export const countScans = async (id: PackageId): Promise<number> => {
  const [item] = await queryItems(scansTable, selectScans(id), 1);
  return item ? Number(item.scan_key) : 0;
};

/** Those of some versions that were ever scanned, by their keys. */
export const findScanned = async (ids: readonly PackageId[]): Promise<Set<string>> => {
  const first = ids.map((id) => ({
    package_key: toVersionKey(id),
    scan_key: formatSortableNumber(1),
  }));
  const items = await batchGet(scansTable, first);
  return new Set(items.map(({ package_key }) => package_key));
};

/** The scan of a number; undefined if there is none. */
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

/** The scans of a version from one number down. */
const selectDown = (id: PackageId, from: number): Range => ({
  ...selectScans(id),
  KeyConditionExpression: 'package_key = :key AND scan_key <= :from',
  ExpressionAttributeValues: { ':key': toVersionKey(id), ':from': formatSortableNumber(from) },
});

/** Scans in their order, up to `count` if given; each call reads as much as an answer of DynamoDB holds, once that is wanted. */
async function* readScans(range: Range, count?: number): AsyncGenerator<SavedScan> {
  for await (const items of queryPages(scansTable, range, { count, endsEarly: true })) {
    for (const item of items) yield toKeptScan(item);
  }
}

/** The scans of a version from one number down to the first, newest first. */
export const scansDown = (id: PackageId, from: number): AsyncGenerator<SavedScan> =>
  readScans(selectDown(id, from));

/** As it is shown: by whom, and with what. */
export const showScan = ({ number, result, actor }: SavedScan): MergedScan =>
  toMergedScanTable(result, { number, label: actor.label });

/** A page of a version's scans, newest first, and how many there are in all. Scans that are very long make it shorter than asked. */
export const listScans = async (
  id: PackageId,
  { limit, offset }: { readonly limit: number; readonly offset: number },
): Promise<{ scans: MergedScan[]; total: number; limit: number }> => {
  // The newest scan tells by its number how many there are: the first page begins with it.
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

/** Another scan has the number: the head of the version is out of step, as after a restore. */
export class NumberTakenError extends Error {
  override readonly name = 'NumberTakenError';
}

/** The slot that a scan belongs to. */
export const scanSourceOf = ({ result, actor }: Omit<SavedScan, 'number'>): string =>
  findScanSourceId({ tools: result.tools_used, actor });

/** Adds a scan; no scan is ever changed. Refuses with NumberTakenError where there is one of the number. */
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
