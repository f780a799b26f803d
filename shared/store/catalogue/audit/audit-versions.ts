import { isDeepStrictEqual } from 'node:util';
import { GetCommand, ScanCommand } from '@aws-sdk/lib-dynamodb';
import { tableName } from '../../../config/env.ts';
import { batchGet } from '../../batch-get.ts';
import { dynamodb } from '../../dynamodb.ts';
import { ordinalCounterKey, ordinalOfKey } from '../../keys.ts';
import type { PackageItem } from '../../package-item.ts';
import type { CatalogueKey } from '../keys.ts';
import type { CatalogueLayout } from '../layout.ts';
import { type BrowseRow, browseRow, type SearchRow, searchRows } from '../rows.ts';
import type { AuditContext } from './findings.ts';
import { readNewestOrdinal } from './newest-ordinal.ts';
import { transactUnlessChanged } from './transact-unless-changed.ts';

const versionsAtATime = 100;
const tries = 3;

type Row = BrowseRow | SearchRow;

export const keyText = ({ p, o }: CatalogueKey): string => `${p} ${o}`;

const keyOf = ({ p, o }: CatalogueKey) => ({ p, o });

const packageKeyOf = ({ name_key, version_key }: PackageItem) => ({ name_key, version_key });

/** Every row that a package version must have. */
export const rowsOf = (item: PackageItem, layout: CatalogueLayout): Row[] => {
  const version = { ...item, ordinal: ordinalOfKey(item.ordinal) };
  return [browseRow(version, layout), ...searchRows(version, layout)];
};

interface Difference {
  readonly expected: Row;
  readonly isMissing: boolean;
}

const differences = (
  expected: readonly Row[],
  stored: ReadonlyMap<string, unknown>,
): Difference[] =>
  expected.flatMap((row) => {
    const found = stored.get(keyText(row));
    return isDeepStrictEqual(found, row) ? [] : [{ expected: row, isMissing: found === undefined }];
  });

const readRowsOf = async (rows: readonly Row[]): Promise<Map<string, unknown>> => {
  const stored = await batchGet('catalogue', rows.map(keyOf));
  return new Map(stored.map((row) => [keyText(row as unknown as CatalogueKey), row]));
};

const readVersion = async (item: PackageItem): Promise<PackageItem | undefined> => {
  const { Item } = await dynamodb.send(
    new GetCommand({
      TableName: tableName('packages'),
      Key: packageKeyOf(item),
      ConsistentRead: true,
    }),
  );
  return Item as PackageItem | undefined;
};

/** Puts rows in the place of what is there, unless the version was decided meanwhile: then its own writes were right. */
const putRows = (item: PackageItem, rows: readonly Row[], { deadline }: AuditContext) =>
  transactUnlessChanged(
    [
      {
        ConditionCheck: {
          TableName: tableName('packages'),
          Key: packageKeyOf(item),
          ConditionExpression: 'revision = :revision',
          ExpressionAttributeValues: { ':revision': item.revision },
        },
      },
      ...rows.map((row) => ({ Put: { TableName: tableName('catalogue'), Item: row } })),
    ],
    deadline,
  );

/** Looks again at one version whose rows differed: was it only decided between two reads? */
const auditDoubtfulVersion = async (
  doubtful: PackageItem,
  context: AuditContext,
): Promise<void> => {
  for (let attempt = 0; attempt < tries; attempt += 1) {
    const before = await readVersion(doubtful);
    if (!before) return;
    const expected = rowsOf(before, context.layout);
    const wrong = differences(expected, await readRowsOf(expected));
    if (wrong.length === 0) return;
    const after = await readVersion(doubtful);
    if (after?.revision !== before.revision) continue;
    const name = `${before.ecosystem} ${before.name} ${before.version}`;
    for (const { isMissing, expected: row } of wrong) {
      context.tally.find(isMissing ? 'missing_row' : 'wrong_row', `${name} (${keyText(row)})`);
    }
    const rows = wrong.map(({ expected: row }) => row);
    if (context.repair && (await putRows(before, rows, context))) {
      context.tally.repair(rows.length);
    }
    return;
  }
  context.tally.leaveUnjudged();
};

/** An ordinal counter behind the versions would draw places that are taken. */
const auditOrdinalCounter = async (
  versions: readonly PackageItem[],
  context: AuditContext,
): Promise<void> => {
  const highest = Math.max(0, ...versions.map(({ ordinal }) => ordinalOfKey(ordinal)));
  const drawn = await readNewestOrdinal();
  if (drawn >= highest) return;
  const isNew = context.tally.find('wrong_counter', 'the ordinal counter is behind the versions');
  if (!context.repair) return;
  const operation = {
    Update: {
      TableName: tableName('packages'),
      Key: ordinalCounterKey,
      UpdateExpression: 'SET #count = :highest',
      ConditionExpression: 'attribute_not_exists(#count) OR #count < :highest',
      ExpressionAttributeNames: { '#count': 'count' },
      ExpressionAttributeValues: { ':highest': highest },
    },
  };
  const isRaised = await transactUnlessChanged([operation], context.deadline);
  if (isRaised && isNew) context.tally.repair(1);
};

/**
 * Compares the rows of some package versions with what they must be.
 * @returns where to go on; undefined after the last version
 */
export const auditVersions = async (
  after: Record<string, string> | undefined,
  context: AuditContext,
): Promise<Record<string, string> | undefined> => {
  const page = await dynamodb.send(
    new ScanCommand({
      TableName: tableName('packages'),
      ConsistentRead: true,
      Limit: versionsAtATime,
      ...(after && { ExclusiveStartKey: after }),
    }),
  );
  const versions = ((page.Items ?? []) as unknown as PackageItem[]).filter(
    ({ ordinal }) => ordinal,
  );
  const expected = versions.map((item) => rowsOf(item, context.layout));
  const stored = await readRowsOf(expected.flat());
  for (const [at, item] of versions.entries()) {
    if (differences(expected[at] ?? [], stored).length > 0)
      await auditDoubtfulVersion(item, context);
  }
  await auditOrdinalCounter(versions, context);
  context.tally.check('versions', versions.length);
  return page.LastEvaluatedKey as Record<string, string> | undefined;
};
