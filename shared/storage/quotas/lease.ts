import { randomUUID } from 'node:crypto';
import { minuteMs } from '../../util/duration.ts';
import { defineTable } from '../dynamodb/table.ts';
import { deleteItem, putItem } from '../dynamodb/write.ts';
import { deleteAlone, putAlone } from '../dynamodb/write-alone.ts';

/** Lease of one worker on a subject. DynamoDB may delete it some time after its end. */
interface Lease {
  readonly scope: string;
  readonly owner: string;
  /** Epoch milliseconds. */
  readonly ends_at: number;
  /** Epoch seconds. */
  readonly expires_at: number;
}

const leasesTable = defineTable<Lease>('idempotency');

/** Longer than any worker runs that takes a lease. */
const leaseMs = 3 * minuteMs;

/** Another worker has the lease. */
export class LeaseTakenError extends Error {
  override readonly name = 'LeaseTakenError';
}

/**
 * Runs `act` while no other worker runs under a lease on the subject, and returns its result.
 * @throws {LeaseTakenError} if another worker has the lease
 */
export const withLease = async <T>(subject: string, act: () => Promise<T>): Promise<T> => {
  const now = Date.now();
  const owner = randomUUID();
  const scope = `lease#${subject}`;
  const ends_at = now + leaseMs;
  const lease = { scope, owner, ends_at, expires_at: Math.ceil(ends_at / 1000) };
  await putAlone(
    putItem(leasesTable, lease, {
      // The retry of a put with a lost answer finds its own lease.
      ConditionExpression: 'attribute_not_exists(ends_at) OR ends_at <= :now OR #owner = :owner',
      ExpressionAttributeNames: { '#owner': 'owner' },
      ExpressionAttributeValues: { ':now': now, ':owner': owner },
      refuse: () => new LeaseTakenError(`Another worker has the lease on ${subject}`),
    }),
  );
  try {
    return await act();
  } finally {
    await deleteAlone(
      deleteItem(
        leasesTable,
        { scope },
        {
          ConditionExpression: '#owner = :owner',
          ExpressionAttributeNames: { '#owner': 'owner' },
          ExpressionAttributeValues: { ':owner': owner },
          refuse: () => new LeaseTakenError(`The lease on ${subject} has ended`),
        },
      ),
    ).catch((error: unknown) => {
      if (!(error instanceof LeaseTakenError)) throw error;
    });
  }
};
