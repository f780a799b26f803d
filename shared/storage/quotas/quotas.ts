import { RegistryError } from '../../domain/errors.ts';
import type { Actor } from '../../domain/tokens/actor.ts';
import { dayMs, hourMs } from '../../util/duration.ts';
import { defineTable } from '../dynamodb/table.ts';
import { transact } from '../dynamodb/transact.ts';
import { putItem, updateItem, type Write } from '../dynamodb/write.ts';
import { updateAlone } from '../dynamodb/write-alone.ts';
import type { WriteContext } from '../dynamodb/write-context.ts';

/** Each quota: what it counts, the length of its period, and the setting that raises it. */
const quotas = {
  submissionsPerDay: { what: 'submissions', ms: dayMs, isSetting: true },
  scansPerDay: { what: 'scans', ms: dayMs, isSetting: true },
  updatesPerDay: { what: 'updates', ms: dayMs, isSetting: true },
  commentsPerDay: { what: 'comments', ms: dayMs, isSetting: false },
  dependenciesPerDay: { what: 'dependencies', ms: dayMs, isSetting: false },
  installsPerHour: { what: 'submissions by installing', ms: hourMs, isSetting: false },
  installsPerDay: { what: 'submissions by installing', ms: dayMs, isSetting: false },
} as const;

/** Limit of a token label in a day or an hour; 0 for no limit. */
export interface Quota {
  readonly name: keyof typeof quotas;
  readonly most: number;
}

/** Used part of a quota: one item for each label and period, deleted some days later. */
interface QuotaItem {
  readonly scope: string;
  readonly used: number;
  /** Epoch seconds. */
  readonly expires_at: number;
}

const quotasTable = defineTable<QuotaItem>('idempotency');
const markersTable = defineTable<Omit<QuotaItem, 'used'>>('idempotency');

/** Returns the end of the period, by UTC: the next midnight or the next full hour. */
const findPeriodEnd = ({ name }: Quota, now: Date): Date => {
  const { ms } = quotas[name];
  return new Date((Math.floor(now.getTime() / ms) + 1) * ms);
};

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

const refuseBeyond = (quota: Quota, actor: Actor, now: Date): RegistryError => {
  const { what, ms, isSetting } = quotas[quota.name];
  const end = findPeriodEnd(quota, now);
  const period = ms === dayMs ? 'today' : 'in this hour';
  const next = isSetting ? `, or ask its operators for a higher ${quota.name}` : '';
  const seconds = Math.max(1, Math.ceil((end.getTime() - now.getTime()) / 1000));
  return new RegistryError(
    'quota_reached',
    `${nameActor(actor)} made ${quota.most} ${what} ${period} (UTC), which is the limit of this registry. Go on from ${end.toISOString()}${next}.`,
    { headers: { 'Retry-After': String(seconds) } },
  );
};

/** Returns the write that counts one request. Its key cannot equal a request hash, which contains no `#`. */
const countOne = (
  quota: Quota,
  { actor, now }: Pick<WriteContext<never>, 'actor' | 'now'>,
): Write => {
  const { name, most } = quota;
  const end = findPeriodEnd(quota, now);
  const scope = `quota#${name}#${end.toISOString()}#${identify(actor)}`;
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
        ExpressionAttributeValues: { ':most': most },
        refuse: () => refuseBeyond(quota, actor, now),
      },
    },
  );
};

/** Error of a request that was already counted. */
class CountedBeforeError extends Error {
  override readonly name = 'CountedBeforeError';
}

const markCounted = (quota: Quota, key: string, now: Date): Write =>
  putItem(
    markersTable,
    { scope: `counted#${key}`, expires_at: toExpiry(findPeriodEnd(quota, now)) },
    {
      ConditionExpression: 'attribute_not_exists(#scope)',
      ExpressionAttributeNames: { '#scope': 'scope' },
      refuse: () => new CountedBeforeError('The request was counted before'),
    },
  );

/** Inputs for the count of a request. */
type Counted = Pick<WriteContext<never>, 'actor' | 'now' | 'deadline' | 'idempotencyScope'>;

/**
 * Counts one submission, scan or comment of a label in the current period (UTC), before it is made. Concurrent requests never exceed the
 * quota. A request with an Idempotency-Key is counted once, even if it is repeated. Without a quota nothing is written.
 * @throws {RegistryError} `quota_reached`
 */
export const takeFromQuota = async (quota: Quota, context: Counted): Promise<void> => {
  if (quota.most === 0) return;
  const count = countOne(quota, context);
  const { idempotencyScope, deadline, now } = context;
  if (idempotencyScope === undefined) return updateAlone(count);
  try {
    await transact([markCounted(quota, idempotencyScope, now), count], deadline);
  } catch (error) {
    if (!(error instanceof CountedBeforeError)) throw error;
  }
};
