import { isDeepStrictEqual } from 'node:util';
import type { PackageId } from '../../domain/packages/package-id.ts';
import type { Status } from '../../domain/review/status.ts';
import type { Severity } from '../../domain/vulnerabilities/severity.ts';
import type { NotAffecting } from '../../domain/vulnerabilities/vulnerability.ts';
import { queryItems } from '../dynamodb/read.ts';
import { defineTable } from '../dynamodb/table.ts';
import { beforeVersions, toPartition } from './vulnerability-keys.ts';

/** What a vulnerability is to one version. */
export interface Effect {
  readonly severity: Severity;
  /** Of the CVSS rating, from 0 to 10; null without one. */
  readonly score: number | null;
  /** The first few. */
  readonly fixed_versions: readonly string[];
  /** The first few. */
  readonly components: readonly string[];
  readonly not_affecting: NotAffecting | null;
  readonly known_exploited: boolean;
  /** Until when it is accepted, ISO 8601, which may be over; null where it is not. */
  readonly accepted_until: string | null;
}

/** Where a version stands, as it is stored: `statusAt` tells what that is by the clock. */
export interface StoredStatus {
  readonly status: Status;
  readonly expires_at: string | null;
}

/** That a version has a vulnerability. There is one under each of the vulnerability's ids. */
export interface AffectedRow extends PackageId, StoredStatus, Effect {
  readonly v: string;
  /** The version's key. */
  readonly k: string;
  /** Whether this is the id under which the version's scans show it: its others are aliases. */
  readonly preferred: boolean;
  /** Which claim on the version wrote it. */
  readonly claim: number;
}

export const affectedTable = defineTable<AffectedRow>('reviews');

/** Whether two rows tell the same, whoever wrote them. */
export const isSameRow = (one: AffectedRow | undefined, other: AffectedRow | undefined): boolean =>
  isDeepStrictEqual(one && { ...one, claim: 0 }, other && { ...other, claim: 0 });

/**
 * The first `count` versions that have a vulnerability, under any of its ids, behind the one of key `after`; in the order
 * of their keys. Fewer where the request may read no more.
 * @param isExact whether what was written a moment ago has to be there, which costs twice as much
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
