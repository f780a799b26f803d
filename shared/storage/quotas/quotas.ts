import { RegistryError } from '../../domain/errors.ts';
import type { Actor } from '../../domain/tokens/actor.ts';
import { dayMs } from '../../util/duration.ts';
import { defineTable } from '../dynamodb/table.ts';
import { transact } from '../dynamodb/transact.ts';
import { putItem, updateItem, type Write } from '../dynamodb/write.ts';
import { updateAlone } from '../dynamodb/write-alone.ts';
import type { WriteContext } from '../dynamodb/write-context.ts';

/** Daily limit of a token label; 0 for no limit. */
export interface Quota {
  readonly setting: 'submissionsPerDay' | 'scansPerDay';
  readonly perDay: number;
}

/** Used part of a quota: one item for each label and day, deleted some days later. */
interface QuotaItem {
  readonly scope: string;
  readonly used: number;
  /** Epoch seconds. */
  readonly expires_at: number;
}

const quotasTable = defineTable<QuotaItem>('idempotency');
const markersTable = defineTable<Omit<QuotaItem, 'used'>>('idempotency');

/** Returns the next midnight (UTC), when a new day begins. */
const findDayEnd = (now: Date): Date => new Date((Math.floor(now.getTime() / dayMs) + 1) * dayMs);

/** Returns the expiry in epoch seconds. Idempotency records are valid for a day, and so are their counts. */
const toExpiry = (end: Date): number => (end.getTime() + dayMs) / 1000;

const identify = ({ label, fingerprint }: Actor): string => {
  if (label !== null) return `label#${label}`;
  return fingerprint === null ? 'anyone' : `fingerprint#${fingerprint}`;
};

const nameActor = ({ label, fingerprint }: Actor): string => {
  if (label !== null) return `Tokens with the label ${label} have`;
  return fingerprint === null ? 'Requests without a token have' : 'This token has';
};

const whats = { submissionsPerDay: 'submissions', scansPerDay: 'scans' } as const;

const refuseBeyond = ({ setting, perDay }: Quota, actor: Actor, now: Date): RegistryError => {
  const end = findDayEnd(now);
  const seconds = Math.max(1, Math.ceil((end.getTime() - now.getTime()) / 1000));
  return new RegistryError(
    'quota_reached',
    `${nameActor(actor)} made ${perDay} ${whats[setting]} today (UTC), which is the limit of this registry. Go on from ${end.toISOString()}, or ask its operators for a higher ${setting}.`,
    { headers: { 'Retry-After': String(seconds) } },
  );
};

/** Returns the write that counts one request. Its key cannot equal a request hash, which contains no `#`. */
const countOne = (
  quota: Quota,
  { actor, now }: Pick<WriteContext<never>, 'actor' | 'now'>,
): Write => {
  const { setting, perDay } = quota;
  const end = findDayEnd(now);
  const scope = `quota#${setting}#${end.toISOString()}#${identify(actor)}`;
  return updateItem(
    quotasTable,
    { scope },
    {
      change: {
        UpdateExpression: 'ADD used :one SET expires_at = :expiry',
        ExpressionAttributeValues: { ':one': 1, ':expiry': toExpiry(end) },
      },
      guard: {
        ConditionExpression: 'attribute_not_exists(used) OR used < :most',
        ExpressionAttributeValues: { ':most': perDay },
        refuse: () => refuseBeyond(quota, actor, now),
      },
    },
  );
};

/** Error of a request that was already counted. */
class CountedBeforeError extends Error {
  override readonly name = 'CountedBeforeError';
}

const markCounted = (key: string, { now }: { readonly now: Date }): Write =>
  putItem(
    markersTable,
    { scope: `counted#${key}`, expires_at: toExpiry(findDayEnd(now)) },
    {
      ConditionExpression: 'attribute_not_exists(#scope)',
      ExpressionAttributeNames: { '#scope': 'scope' },
      refuse: () => new CountedBeforeError('The request was counted before'),
    },
  );

/** Inputs for the count of a request. */
type Counted = Pick<WriteContext<never>, 'actor' | 'now' | 'deadline' | 'idempotencyScope'>;

/**
 * Counts one submission or scan of a label on this day (UTC), before it is made. Concurrent requests never exceed the
 * quota. A
 * request with an Idempotency-Key is counted once, even if it is repeated. Without a quota nothing is written.
 * @throws {RegistryError} `quota_reached`
 */
export const takeFromQuota = async (quota: Quota, context: Counted): Promise<void> => {
  if (quota.perDay === 0) return;
  const count = countOne(quota, context);
  const { idempotencyScope, deadline } = context;
  if (idempotencyScope === undefined) return updateAlone(count);
  try {
    await transact([markCounted(idempotencyScope, context), count], deadline);
  } catch (error) {
    if (!(error instanceof CountedBeforeError)) throw error;
  }
};
