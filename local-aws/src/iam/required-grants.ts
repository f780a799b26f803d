/**
 * Permissions that a function's role needs for its event sources. Without them, AWS refuses the event source mapping.
 */
import { StartError } from '../start-error.ts';
import type { EventSource, QueueSource, StackModel } from '../template/model.ts';
import { streamArn } from '../template/names.ts';
import { createPolicy } from '../template/policy.ts';
import type { Access } from './required-access.ts';

/** @throws {StartError} with the missing permission */
const checkGrants = (
  model: StackModel,
  { id, functionId }: EventSource | QueueSource,
  needed: readonly Access[],
): void => {
  const { roleId = '' } = model.functions[functionId] ?? {};
  const policy = createPolicy(model.roles[roleId] ?? []);
  const lacking = needed.find(({ action, resource }) => policy(action, resource) !== 'allowed');
  if (lacking === undefined) return;
  throw new StartError(
    `${id} cannot drive ${functionId}: its role ${roleId} does not allow ${lacking.action} on ${lacking.resource}`,
  );
};

const streamActions = ['DescribeStream', 'GetRecords', 'GetShardIterator', 'ListStreams'];
const queueActions = ['DeleteMessage', 'GetQueueAttributes', 'ReceiveMessage'];

/** @throws {StartError} with the missing permission: https://docs.aws.amazon.com/lambda/latest/dg/services-ddb-permissions.html */
export const checkStreamGrants = (model: StackModel, source: EventSource): void => {
  const resource = streamArn(model.tables[source.tableId]?.name ?? '');
  const failures = model.queues[source.onFailureQueueId ?? ''];
  checkGrants(model, source, [
    ...streamActions.map((action) => ({ action: `dynamodb:${action}`, resource })),
    ...(failures ? [{ action: 'sqs:SendMessage', resource: failures.arn }] : []),
  ]);
};

/** @throws {StartError} with the missing permission: https://docs.aws.amazon.com/lambda/latest/dg/services-sqs-configure.html */
export const checkQueueGrants = (model: StackModel, source: QueueSource): void => {
  const resource = model.queues[source.queueId]?.arn ?? '';
  checkGrants(
    model,
    source,
    queueActions.map((action) => ({ action: `sqs:${action}`, resource })),
  );
};
