import { UpdateCommand } from '@aws-sdk/lib-dynamodb';
import { tableName } from '../config/env.ts';
import { RegistryError } from '../domain/errors.ts';
import { canonicalLicense } from '../domain/licenses/license-id.ts';
import type { PackageDetail } from '../schemas/package.ts';
import type { Submission } from '../schemas/submission.ts';
import { addToCatalogue } from './catalogue/writes.ts';
import { dynamodb, type Item } from './dynamodb.ts';
import { ordinalCounterKey, ordinalKey } from './keys.ts';
import { type PackageItem, toItem } from './package-item.ts';
import { type Deadline, retrying, transact, type Write } from './transact.ts';
import type { WriteContext } from './write-context.ts';

/** Draws the next place in the order of submissions. One that is drawn in vain leaves a harmless gap. */
const drawOrdinal = async (deadline: Deadline): Promise<number> => {
  const command = new UpdateCommand({
    TableName: tableName('packages'),
    Key: ordinalCounterKey,
    UpdateExpression: 'ADD #count :one',
    ExpressionAttributeNames: { '#count': 'count' },
    ExpressionAttributeValues: { ':one': 1 },
    ReturnValues: 'UPDATED_NEW',
  });
  const { Attributes } = await retrying(() => dynamodb.send(command), deadline);
  return Number(Attributes?.['count']);
};

const pendingDetail = (submission: Submission, { actor, now }: WriteContext): PackageDetail => ({
  name: submission.name,
  version: submission.version,
  ecosystem: submission.ecosystem,
  status: 'pending',
  license: submission.license ? canonicalLicense(submission.license.trim()) : null,
  description: submission.description ?? null,
  homepage: submission.homepage ?? null,
  repository: submission.repository ?? null,
  submitted_by: submission.submitted_by ?? actor.label,
  submitted_at: now.toISOString(),
  approved_by: null,
  approved_at: null,
  rejected_by: null,
  rejected_at: null,
  reason: null,
});

const exists = (stored: Item | undefined): RegistryError => {
  const { ecosystem, name, version, status } = stored as unknown as PackageItem;
  return new RegistryError(
    'package_exists',
    `${ecosystem} package ${name} ${version} was submitted before and is ${status}.`,
    { location: { ecosystem, name, version } },
  );
};

const putNew = (detail: PackageDetail, ordinal: number): Write => ({
  operation: {
    Put: {
      TableName: tableName('packages'),
      Item: toItem(detail, ordinalKey(ordinal)),
      ConditionExpression: 'attribute_not_exists(name_key)',
      ReturnValuesOnConditionCheckFailure: 'ALL_OLD',
    },
  },
  refuse: exists,
});

/** Adds a package version to the registry, pending review. Refuses one that exists, in whatever status. */
export const submitPackage = async (
  submission: Submission,
  context: WriteContext,
): Promise<PackageDetail> => {
  const detail = pendingDetail(submission, context);
  const ordinal = await drawOrdinal(context.deadline);
  await transact(
    [
      ...context.remember(detail),
      putNew(detail, ordinal),
      ...addToCatalogue(detail, ordinal, context.catalogue),
    ],
    context.deadline,
  );
  return detail;
};
