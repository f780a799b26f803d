import { DeleteCommand, PutCommand, ScanCommand } from '@aws-sdk/lib-dynamodb';
import type { TableId } from '../../../shared/api/resources.ts';
import { IntegrityReport } from '../../../shared/api/schemas/integrity.ts';
import { readTableName } from '../../../shared/api/settings/env.ts';
import type { PackageId } from '../../../shared/domain/packages/package-id.ts';
import { toErrorScan, toScanResult } from '../../../shared/domain/vulnerabilities/scan-result.ts';
import { defaultScanPolicy } from '../../../shared/domain/vulnerabilities/verdict.ts';
import { defaultLayout } from '../../../shared/storage/catalogue/layout.ts';
import type { RecordItem } from '../../../shared/storage/decisions/records.ts';
import { dynamodb } from '../../../shared/storage/dynamodb/dynamodb.ts';
import type { ItemKey, StoredItem } from '../../../shared/storage/dynamodb/table.ts';
import { appendEvents } from '../../../shared/storage/events/sequence.ts';
import { checkIntegrity } from '../../../shared/storage/integrity/check-integrity.ts';
import { findPackedPackage, updatePack } from '../../../shared/storage/packs/update-pack.ts';
import { indexReview } from '../../../shared/storage/reviews/index-reviews.ts';
import { reviewStateKey } from '../../../shared/storage/reviews/review-state.ts';
import { runDueWork } from '../../../shared/use-cases/due-work/run-due-work.ts';
import { decidePackage } from '../../../shared/use-cases/review/decide-package.ts';
import type { ReviewContext } from '../../../shared/use-cases/review/review-context.ts';
import { submitPackage } from '../../../shared/use-cases/review/submit-package.ts';
import { saveScan } from '../../../shared/use-cases/scanning/keep-scan.ts';
import { runInParallel } from '../../../shared/util/in-parallel.ts';
import { scanContext, writeContext } from '../../capacity/write-context.ts';

const hourMs = 60 * 60_000;
const enoughTime = { remainingMs: () => 60_000 };

export const nothing = IntegrityReport.parse({}).found;

/** Writes the rows of all versions in the lists of reviews, and the packs, as the index worker does after each change. */
export const indexReviews = async (): Promise<void> => {
  const states = (await readAll('reviews')).filter(({ k }) => k === reviewStateKey);
  await runInParallel(states, 20, ({ v }) => indexReview(String(v)));
  for (const { v } of states) {
    const of = findPackedPackage(String(v));
    if (of) await updatePack(of, { now: new Date() });
  }
};

/** Runs the check when the index worker has done its work. */
export const runCheck = async (repair: boolean): Promise<IntegrityReport> => {
  await indexReviews();
  return checkIntegrity(IntegrityReport.parse({ repair }), defaultLayout, enoughTime);
};

export const readAll = async (table: TableId): Promise<StoredItem[]> => {
  const command = new ScanCommand({ TableName: readTableName(table), ConsistentRead: true });
  return (await dynamodb.send(command)).Items ?? [];
};

/** @throws {Error} if there is no such item */
export const findReview = async (v: string, k: string): Promise<StoredItem> => {
  const item = (await readAll('reviews')).find((one) => one['v'] === v && one['k'] === k);
  if (!item) throw new Error(`There is no ${v} ${k}`);
  return item;
};

export const put = (table: TableId, item: object) =>
  dynamodb.send(new PutCommand({ TableName: readTableName(table), Item: { ...item } }));

export const remove = (table: TableId, key: ItemKey) =>
  dynamodb.send(new DeleteCommand({ TableName: readTableName(table), Key: key }));

/** So long ago that the integrity check expects the events. */
const longAgo = (): ReviewContext => ({ ...writeContext(), now: new Date(Date.now() - hourMs) });

const npm = (name: string): PackageId => ({ ecosystem: 'npm', name, version: '1.0.0' });

export const pending = npm('pending');
export const approved = npm('approved');
export const expiring = npm('expiring');
export const rejected = npm('rejected');
export const expired = npm('expired');
export const scanned: PackageId = { ecosystem: 'pypi', name: 'Scanned.Twice', version: '1.0' };
/** What is left of its name without the prefix has the prefix. */
export const prefixed: PackageId = {
  ecosystem: 'docker',
  name: 'library/library/nginx',
  version: '1.29',
};

const approve = (id: PackageId, expires_at?: Date) =>
  decidePackage(
    id,
    { to: 'approved', by: 'ana', expires_at: expires_at?.toISOString() },
    longAgo(),
  );

const scan = async (id: PackageId): Promise<void> => {
  const now = new Date();
  const finished = { tools: ['a-scanner'], findings: [] };
  const passed = toScanResult(id, finished, { policy: defaultScanPolicy, now });
  const broken = toErrorScan(id, { tool: 'a-scanner', reason: 'It broke' }, now);
  for (const result of [passed, passed, broken]) {
    await saveScan(id, result, scanContext());
  }
};

/** Versions that stand wherever one can stand, with their records an hour old, and their events. */
export const fillRegistry = async (): Promise<void> => {
  for (const id of [pending, approved, expiring, rejected, expired, scanned, prefixed]) {
    await submitPackage({ ...id, license: 'MIT' }, longAgo());
  }
  await approve(approved);
  await approve(expired, new Date(Date.now() - hourMs / 2));
  await runDueWork({ now: new Date(Date.now() - hourMs / 3), deadline: enoughTime });
  await approve(expiring, new Date(Date.now() + hourMs));
  await decidePackage(rejected, { to: 'rejected', by: 'bob', reason: 'no' }, longAgo());
  await scan(scanned);
  await appendEvents((await readAll('decisions')) as unknown as RecordItem[], enoughTime);
  await indexReviews();
};
