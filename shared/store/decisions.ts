import { randomUUID } from 'node:crypto';
import { tableName } from '../config/env.ts';
import { checkObjections, type Objection } from '../domain/approval.ts';
import { checkDecision } from '../domain/decision.ts';
import { RegistryError } from '../domain/errors.ts';
import { type PackageSelector, packageVersionKey } from '../domain/package-id.ts';
import type { Decision, Status } from '../domain/status.ts';
import type { PackageDetail } from '../schemas/package.ts';
import { moveInCatalogue } from './catalogue/writes.ts';
import type { Item } from './dynamodb.ts';
import { ordinalOfKey, packageItemKey, statusIndexKeys } from './keys.ts';
import { type PackageItem, toDetail } from './package-item.ts';
import { selectForWrite } from './package-versions.ts';
import { transact, type Write } from './transact.ts';
import type { WriteContext } from './write-context.ts';

/** What a reviewer decides. */
export interface DecisionRequest {
  readonly to: Decision;
  /** The name that the body gives; the token's label stands in for it. */
  readonly by: string | null | undefined;
  readonly reason: string | null | undefined;
  /** Where the version must stand; anywhere, if not given. */
  readonly expectedStatus?: Status | null | undefined;
  /** Whether to approve whatever stands in the way. */
  readonly override?: boolean | null | undefined;
  /** Finds what stands in the way of an approval. */
  readonly objections?: (version: PackageItem) => Promise<readonly Objection[]>;
}

const decided = (
  current: PackageItem,
  { to, by, reason }: DecisionRequest,
  { actor, now }: WriteContext,
): PackageDetail => {
  const who = by ?? actor.label;
  const at = now.toISOString();
  return {
    ...toDetail(current),
    status: to,
    approved_by: to === 'approved' ? who : null,
    approved_at: to === 'approved' ? at : null,
    rejected_by: to === 'rejected' ? who : null,
    rejected_at: to === 'rejected' ? at : null,
    reason: reason ?? null,
  };
};

const lostRace = (stored: Item | undefined): RegistryError => {
  const { name, version, status } = stored as unknown as PackageItem;
  return new RegistryError(
    'decision_conflict',
    `Someone else decided on ${name} ${version} at the same moment; it is ${status} now. Nothing was changed.`,
  );
};

const changed = (detail: PackageDetail, ordinal: string) => ({
  ...statusIndexKeys({ ...detail, ordinal }),
  status: detail.status,
  approved_by: detail.approved_by,
  approved_at: detail.approved_at,
  rejected_by: detail.rejected_by,
  rejected_at: detail.rejected_at,
  reason: detail.reason,
});

const updateVersion = (current: PackageItem, detail: PackageDetail): Write => {
  const changes = { ...changed(detail, current.ordinal), revision: current.revision + 1 };
  const fields = Object.keys(changes);
  return {
    operation: {
      Update: {
        TableName: tableName('packages'),
        Key: packageItemKey(current),
        UpdateExpression: `SET ${fields.map((field) => `#${field} = :${field}`).join(', ')}`,
        ConditionExpression: '#revision = :known',
        ExpressionAttributeNames: Object.fromEntries(fields.map((field) => [`#${field}`, field])),
        ExpressionAttributeValues: {
          ':known': current.revision,
          ...Object.fromEntries(
            Object.entries(changes).map(([field, value]) => [`:${field}`, value]),
          ),
        },
        ReturnValuesOnConditionCheckFailure: 'ALL_OLD',
      },
    },
    refuse: lostRace,
  };
};

/** A decision that was made, before it is written. */
interface Decided {
  readonly current: PackageItem;
  readonly detail: PackageDetail;
  /** What stood in its way and was overridden. */
  readonly overridden: readonly Objection[];
}

/** The record that stays: which token decided what, on whose behalf, and why. */
const recordDecision = (
  { current, detail, overridden }: Decided,
  { actor, now }: WriteContext,
): Write => ({
  operation: {
    Put: {
      TableName: tableName('decisions'),
      Item: {
        package_key: packageVersionKey(current),
        // Not the revision: that goes back when packages are restored, and the record of then must stay.
        decision_key: `${now.toISOString()} ${randomUUID()}`,
        from: current.status,
        to: detail.status,
        by: detail.approved_by ?? detail.rejected_by,
        at: now.toISOString(),
        reason: detail.reason,
        overridden: overridden.map(({ code }) => code),
        token_label: actor.label,
        token_fingerprint: actor.fingerprint,
      },
      ConditionExpression: 'attribute_not_exists(package_key)',
    },
  },
});

/** Approves or rejects the version that the selector means, and keeps a record of it in the same transaction. */
export const decide = async (
  selector: PackageSelector,
  request: DecisionRequest,
  context: WriteContext,
): Promise<PackageDetail> => {
  const current = await selectForWrite(selector);
  checkDecision(current, request);
  const objections = (await request.objections?.(current)) ?? [];
  if (!request.override) checkObjections(current, objections);
  const detail = decided(current, request, context);
  await transact(
    [
      ...context.remember(detail),
      updateVersion(current, detail),
      recordDecision({ current, detail, overridden: objections }, context),
      ...moveInCatalogue(
        { before: current, after: detail },
        ordinalOfKey(current.ordinal),
        context.catalogue,
      ),
    ],
    context.deadline,
  );
  return detail;
};
