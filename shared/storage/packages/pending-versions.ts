import type { PackageName } from '../../domain/packages/package-id.ts';
import { foldName } from '../../domain/packages/package-name.ts';
import { queryPage } from '../dynamodb/read.ts';
import { pickOwn } from './approved-versions.ts';
import { type PackageItem, packagesTable } from './package-item.ts';

/** Pending versions of a package that one call found. */
interface PendingPage {
  readonly versions: readonly PackageItem[];
  /** Sequence number after which the list continues; undefined at its end. */
  readonly next: string | undefined;
}

/**
 * Returns the pending versions of a package that one call of `limit` rows finds, in the order of submission and after a sequence
 * number. Reads are eventually consistent.
 */
export const queryPending = async (
  id: PackageName,
  { after = '', limit }: { readonly after?: string | undefined; readonly limit: number },
): Promise<PendingPage> => {
  const prefix = `${id.ecosystem}#pending#`;
  const range = {
    IndexName: 'by-ecosystem-and-status',
    KeyConditionExpression:
      'name_key = :name AND ecosystem_status_sequence BETWEEN :after AND :last',
    // `~` sorts after each letter and digit of a sequence number.
    ExpressionAttributeValues: {
      ':name': foldName(id.name),
      ':after': after === '' ? prefix : `${prefix}${after}~`,
      ':last': `${prefix}~`,
    },
    ConsistentRead: false,
  };
  const { items, next } = await queryPage(packagesTable, range, { limit });
  return { versions: pickOwn(items, id), next: next && items.at(-1)?.sequence };
};
