import { ScanCommand } from '@aws-sdk/lib-dynamodb';
import { AcceptanceRequest } from '../../../shared/api/schemas/acceptance.ts';
import { readTableName } from '../../../shared/api/settings/env.ts';
import { type PackageId, toVersionKey } from '../../../shared/domain/packages/package-id.ts';
import { toFinding } from '../../../shared/domain/vulnerabilities/finding.ts';
import { toScanResult } from '../../../shared/domain/vulnerabilities/scan-result.ts';
import type { Rating } from '../../../shared/domain/vulnerabilities/severity.ts';
import { defaultScanPolicy } from '../../../shared/domain/vulnerabilities/verdict.ts';
import type { RecordItem } from '../../../shared/storage/decisions/records.ts';
import { recordsTable } from '../../../shared/storage/decisions/records.ts';
import { dynamodb } from '../../../shared/storage/dynamodb/dynamodb.ts';
import type { StoredItem } from '../../../shared/storage/dynamodb/table.ts';
import { typeItem } from '../../../shared/storage/dynamodb/table.ts';
import { listVersion } from '../../../shared/storage/vulnerabilities/list-version.ts';
import { runDueWork } from '../../../shared/use-cases/due-work/run-due-work.ts';
import { saveScan } from '../../../shared/use-cases/scanning/keep-scan.ts';
import { acceptVulnerability } from '../../../shared/use-cases/vulnerability-index/accept-vulnerability.ts';
import { catchUpAcceptances } from '../../../shared/use-cases/vulnerability-index/catch-up-acceptances.ts';
import { withdrawAcceptance } from '../../../shared/use-cases/vulnerability-index/end-acceptance.ts';
import { scanContext, writeContext } from '../../capacity/write-context.ts';

const minuteMs = 60_000;
export const enoughTime = { remainingMs: () => 30_000 };
const began = Date.now();
export const inMinutes = (minutes: number): Date => new Date(began + minutes * minuteMs);
export const policy = defaultScanPolicy;
export const viewpoint = (now: Date) => ({ now, policy });

export const npm = (name: string, version = '1.0.0'): PackageId => ({
  ecosystem: 'npm',
  name,
  version,
});

export interface IndexCheckpoint {
  readonly id: string;
  readonly aliases?: readonly string[];
  readonly severity?: Rating;
}

const context = (now: Date) => ({ ...writeContext(), now, policy, remember: () => [] });

/** Has the index follow a version, as its stream would. */
export const index = (id: PackageId, now = inMinutes(0)): Promise<void> =>
  listVersion(toVersionKey(id), enoughTime, {
    follow: (version, ids) => catchUpAcceptances(version, ids, context(now)),
  });

/** Keeps what a tool found, and nothing that follows by a stream. */
export const scan = (
  id: PackageId,
  told: readonly IndexCheckpoint[],
  tool = 'osv.dev',
): Promise<unknown> => {
  const findings = told.map((finding) => toFinding({ severity: 'high', ...finding }));
  const at = { policy, now: inMinutes(0) };
  return saveScan(id, toScanResult(id, { tools: [tool], findings }, at), scanContext());
};

export const accept = (id: string, request: Partial<AcceptanceRequest> = {}, now = inMinutes(0)) =>
  acceptVulnerability(
    id,
    AcceptanceRequest.parse({
      reason: 'Not reachable',
      expires_at: inMinutes(60).toISOString(),
      ...request,
    }),
    context(now),
  );

export const withdraw = (id: string, number: number, now = inMinutes(1)) =>
  withdrawAcceptance({ id, number: String(number) }, 'It is reachable', context(now));

export const work = (now = inMinutes(1), deadline = enoughTime) =>
  runDueWork({ now, deadline, policy });

/** All items of the table of reviews, page by page. */
export const readReviews = async (): Promise<StoredItem[]> => {
  const items: StoredItem[] = [];
  let start: StoredItem | undefined;
  do {
    const page = await dynamodb.send(
      new ScanCommand({
        TableName: readTableName('reviews'),
        ConsistentRead: true,
        ExclusiveStartKey: start,
      }),
    );
    items.push(...(page.Items ?? []));
    start = page.LastEvaluatedKey;
  } while (start);
  return items;
};

/** The records of some types, in the order of their time. */
export const readRecords = async (...types: readonly string[]): Promise<RecordItem[]> => {
  const command = new ScanCommand({ TableName: readTableName('decisions'), ConsistentRead: true });
  const { Items = [] } = await dynamodb.send(command);
  return Items.map((item) => typeItem(recordsTable, item))
    .filter(({ type }) => types.includes(type))
    .sort((one, other) => (one.moment < other.moment ? -1 : 1));
};
