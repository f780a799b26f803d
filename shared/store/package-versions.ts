import { QueryCommand, type QueryCommandInput } from '@aws-sdk/lib-dynamodb';
import { tableName } from '../config/env.ts';
import { selectOne } from '../domain/decision.ts';
import { packageNotFound } from '../domain/errors.ts';
import {
  candidateKeys,
  type PackageSelector,
  packageKey,
  packageVersionKey,
} from '../domain/package-id.ts';
import { nameKey } from '../domain/package-name.ts';
import type { Status } from '../domain/status.ts';
import { dynamodb } from './dynamodb.ts';
import { versionKeyPrefix } from './keys.ts';
import { type PackageItem, toListItem } from './package-item.ts';

/** Which versions of a name: any combination of its ecosystem, version and status. */
export interface VersionSelector extends PackageSelector {
  readonly status?: Status | undefined;
}

/** Rows to read at a time when the first ones turned out to belong to other names in the same partition. */
const rowsAtATime = 100;

type Range = Pick<
  QueryCommandInput,
  'IndexName' | 'KeyConditionExpression' | 'ExpressionAttributeValues'
>;

const indexRange = (index: string, sortKey: string, prefix: string): Range => ({
  IndexName: index,
  KeyConditionExpression: `name_key = :name AND begins_with(${sortKey}, :prefix)`,
  ExpressionAttributeValues: { ':prefix': `${prefix}#` },
});

/** The index range in which all rows satisfy the selector's ecosystem and status. */
const newestFirstRange = ({ ecosystem, status }: VersionSelector): Range => {
  if (ecosystem && status) {
    const prefix = `${ecosystem}#${status}`;
    return indexRange('by-ecosystem-and-status', 'ecosystem_status_ordinal', prefix);
  }
  if (ecosystem) return indexRange('by-ecosystem', 'ecosystem_ordinal', ecosystem);
  if (status) return indexRange('by-status', 'status_ordinal', status);
  return { IndexName: 'by-ordinal', KeyConditionExpression: 'name_key = :name' };
};

const rangeOf = (selector: VersionSelector): Range =>
  selector.version === undefined
    ? newestFirstRange(selector)
    : {
        KeyConditionExpression: 'name_key = :name AND begins_with(version_key, :prefix)',
        ExpressionAttributeValues: { ':prefix': versionKeyPrefix(selector.version) },
      };

const selects = (selector: VersionSelector) => {
  const keys = new Set(candidateKeys(selector));
  return (item: PackageItem): boolean => {
    const key =
      selector.version === undefined
        ? packageKey(item.ecosystem, item.name)
        : packageVersionKey(item);
    return keys.has(key) && (selector.status === undefined || selector.status === item.status);
  };
};

/**
 * Up to `count` versions that the selector means, newest first. Usually one call: each further one is for names
 * that share the partition, or for more rows than one answer holds.
 */
export const findVersions = async (
  selector: VersionSelector,
  count: number,
): Promise<PackageItem[]> => {
  if (candidateKeys(selector).length === 0) return [];
  const range = rangeOf(selector);
  const isSelected = selects(selector);
  const found: PackageItem[] = [];
  let start: Record<string, unknown> | undefined;
  do {
    const page = await dynamodb.send(
      new QueryCommand({
        TableName: tableName('packages'),
        ...range,
        ExpressionAttributeValues: {
          ...range.ExpressionAttributeValues,
          ':name': nameKey(selector.name),
        },
        ConsistentRead: true,
        ScanIndexForward: false,
        ...pageSize(selector, count, start !== undefined),
        ...(start && { ExclusiveStartKey: start }),
      }),
    );
    found.push(...((page.Items ?? []) as unknown as PackageItem[]).filter(isSelected));
    start = page.LastEvaluatedKey;
  } while (start && found.length < count);
  // Rows of one version come in the order of their keys; those of an index are newest first already.
  return found.sort((a, b) => (a.ordinal < b.ordinal ? 1 : -1)).slice(0, count);
};

/** A version's few rows are read whole; of an index, as many as are wanted. */
const pageSize = ({ version }: VersionSelector, count: number, again: boolean) => {
  if (version !== undefined || count === Number.POSITIVE_INFINITY) return {};
  return { Limit: again ? Math.max(count, rowsAtATime) : count };
};

/** The newest version that the selector means; refuses with package_not_found if there is none. */
export const selectVersion = async (selector: VersionSelector): Promise<PackageItem> => {
  const [newest] = await findVersions(selector, 1);
  if (newest) return newest;
  throw packageNotFound(selector);
};

/** As many candidates as an ambiguous request is shown. */
const shownCandidates = 20;

/** The one version that a write means: the only pending match or, with none pending, the only match; refuses otherwise. */
export const selectForWrite = async (selector: PackageSelector): Promise<PackageItem> => {
  const pending = await findVersions({ ...selector, status: 'pending' }, shownCandidates);
  const all = pending.length > 0 ? pending : await findVersions(selector, shownCandidates);
  return selectOne(selector, pending, all);
};

/** One stretch of a package's versions, newest first. An empty one means that the filter lets none through. */
export const listVersions = async (
  selector: VersionSelector,
  { limit, offset }: { readonly limit: number; readonly offset: number },
) => {
  const versions = await findVersions(selector, Number.POSITIVE_INFINITY);
  if (versions.length === 0) await selectVersion({ name: selector.name });
  return {
    packages: versions.slice(offset, offset + limit).map(toListItem),
    total: versions.length,
  };
};
