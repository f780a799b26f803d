import { isDeepStrictEqual } from 'node:util';
import type { PackageId } from '../../domain/packages/package-id.ts';
import type { Status } from '../../domain/review/status.ts';
import type { Severity } from '../../domain/vulnerabilities/severity.ts';
import type { NotAffecting } from '../../domain/vulnerabilities/vulnerability.ts';
import { queryItems } from '../dynamodb/read.ts';
import { defineTable } from '../dynamodb/table.ts';
import { beforeVersions, toPartition } from './vulnerability-keys.ts';

/** Effect of a vulnerability on one version. */
export interface Effect {
  readonly severity: Severity;
  /** CVSS score from 0 to 10; null without a rating. */
  readonly score: number | null;
  /** The first few. */
  readonly fixed_versions: readonly string[];
  /** The first few. */
  readonly components: readonly string[];
  readonly not_affecting: NotAffecting | null;
  readonly known_exploited: boolean;
  /** Expiry date of the risk acceptance, ISO 8601, possibly in the past; null without an acceptance. */
  readonly accepted_until: string | null;
}

/** Stored status of a version. `statusAt` returns the status at a time. */
export interface StoredStatus {
  readonly status: Status;
  readonly expires_at: string | null;
}

/** Row of a version that has a vulnerability. There is one row for each id of the vulnerability. */
export interface AffectedRow extends PackageId, StoredStatus, Effect {
  readonly v: string;
  /** Key of the version. */
  readonly k: string;
  /** True for the id under which the version's scans show the vulnerability. Its other ids are aliases. */
  readonly preferred: boolean;
  /** Number of the lease under which the row was written. */
  readonly leaseNumber: number;
}

export const affectedTable = defineTable<AffectedRow>('reviews');

/** True if two rows are equal, apart from their leases. */
export const isSameRow = (one: AffectedRow | undefined, other: AffectedRow | undefined): boolean =>
  isDeepStrictEqual(one && { ...one, leaseNumber: 0 }, other && { ...other, leaseNumber: 0 });

/**
 * Returns the first `count` versions that have a vulnerability, in key order, after the key `after`. `id` is any id of
 * the vulnerability. Returns fewer versions when the read budget of the request is used up.
 * @param isExact true for a strongly consistent read, which costs twice as much
 */
export const listAffected = (
  id: string,
  {
    after,
    count,
    isExact = true,
  }: {
    readonly after?: string | undefined;
    readonly count: number;
    readonly isExact?: boolean;
  },
): Promise<AffectedRow[]> =>
  queryItems(
    affectedTable,
    {
      KeyConditionExpression: 'v = :vulnerability AND k > :after',
      ExpressionAttributeValues: {
        ':vulnerability': toPartition(id),
        ':after': after || beforeVersions,
      },
      ConsistentRead: isExact,
    },
    count,
    { endsEarly: true },
  );
