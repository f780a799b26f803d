/** What a function's role has to allow, so that Lambda may read a stream for it: AWS refuses the mapping otherwise. */
import { createPolicy } from '../iam/policy.ts';
import { StartError } from '../start-error.ts';
import type { EventSource, StackModel } from '../template/model.ts';
import { streamArn } from '../template/names.ts';

/** @throws {StartError} naming what the role lacks: https://docs.aws.amazon.com/lambda/latest/dg/services-ddb-permissions.html */
export const checkGrants = (model: StackModel, source: EventSource): void => {
  const { roleId = '' } = model.functions[source.functionId] ?? {};
  const policy = createPolicy(model.roles[roleId] ?? []);
  const stream = streamArn(model.tables[source.tableId]?.name ?? '');
  const queue = model.queues[source.onFailureQueueId ?? ''];
  const needed: [action: string, resource: string][] = [
    ['dynamodb:DescribeStream', stream],
    ['dynamodb:GetRecords', stream],
    ['dynamodb:GetShardIterator', stream],
    ['dynamodb:ListStreams', stream],
    ...(queue ? [['sqs:SendMessage', queue.arn] satisfies [string, string]] : []),
  ];
  const lacking = needed.find(([action, resource]) => policy(action, resource) !== 'allowed');
  if (lacking === undefined) return;
  const [action, resource] = lacking;
  throw new StartError(
    `${source.id} cannot drive ${source.functionId}: its role ${roleId} does not allow ${action} on ${resource}`,
  );
};
