/** Permissions that a request to a service needs: https://docs.aws.amazon.com/service-authorization/latest/reference/ */
import type { ApiCall } from '../api-call.ts';
import { isObject, type JsonObject } from '../json.ts';
import {
  keyArn,
  queueArn,
  readQueueName,
  stackArn,
  streamArn,
  tableArn,
} from '../template/names.ts';

/** Action and the ARN of its resource. */
export interface Access {
  readonly action: string;
  readonly resource: string;
  /** Keys of the items, if the request names items. */
  readonly keys?: readonly unknown[];
}

const toAccess = (operation: string, resource: string): Access => ({
  action: `dynamodb:${operation}`,
  resource,
});

/** Returns the ARN of a table, which a request may name by name or by ARN. */
const toTableArn = (table: unknown): string =>
  String(table).startsWith('arn:') ? String(table) : tableArn(String(table));

/**
 * Returns the read permission for a write that returns the old item if its condition fails. DynamoDB's documentation
 * does not require it.
 */
const findReadOfOldItem = ({
  TableName,
  ReturnValuesOnConditionCheckFailure,
}: JsonObject): Access[] =>
  ReturnValuesOnConditionCheckFailure === 'ALL_OLD'
    ? [toAccess('GetItem', toTableArn(TableName))]
    : [];

const findTableAccess = (operation: string, body: JsonObject): Access[] => {
  const { TableName, IndexName } = body;
  if (TableName === undefined) return [toAccess(operation, '*')];
  const table = toTableArn(TableName);
  const resource = IndexName === undefined ? table : `${table}/index/${String(IndexName)}`;
  return [toAccess(operation, resource), ...findReadOfOldItem(body)];
};

const findBatchAccess = (operation: string, { RequestItems }: JsonObject): Access[] => {
  const tables = isObject(RequestItems) ? Object.entries(RequestItems) : [];
  return tables.map(([table, request]) => ({
    ...toAccess(operation, toTableArn(table)),
    ...(isObject(request) && Array.isArray(request['Keys']) && { keys: request['Keys'] }),
  }));
};

const transactionActions: Readonly<Record<string, string>> = {
  ConditionCheck: 'ConditionCheckItem',
  Delete: 'DeleteItem',
  Get: 'GetItem',
  Put: 'PutItem',
  Update: 'UpdateItem',
};

const findItemAccess = (item: unknown): Access[] => {
  if (!isObject(item)) return [];
  return Object.entries(item).flatMap(([kind, request]) => {
    const action = transactionActions[kind];
    if (action === undefined || !isObject(request)) return [];
    return [toAccess(action, toTableArn(request['TableName'])), ...findReadOfOldItem(request)];
  });
};

const findTransactionAccess = ({ TransactItems }: JsonObject): Access[] =>
  Array.isArray(TransactItems) ? TransactItems.flatMap(findItemAccess) : [];

/**
 * Returns the permission on a stream. The stream is identified by its table, because the engine has its own labels. A
 * shard iterator names no stream.
 */
const findStreamAccess = (operation: string, { StreamArn }: JsonObject): Access[] => {
  const table = /:table\/([^/]+)\/stream\//.exec(String(StreamArn))?.[1];
  return [toAccess(operation, table === undefined ? '*' : streamArn(table))];
};

/** Returns the permission on a queue. A batch operation needs the permission of its single operation. */
const findQueueAccess = (operation: string, { QueueUrl }: JsonObject): Access[] => [
  { action: `sqs:${operation.replace(/Batch$/, '')}`, resource: queueArn(readQueueName(QueueUrl)) },
];

/** Returns the permission on a key, which a request names by its id or its ARN. */
const findKeyAccess = (operation: string, { KeyId }: JsonObject): Access[] => {
  const id = String(KeyId);
  return [{ action: `kms:${operation}`, resource: id.startsWith('arn:') ? id : keyArn(id) }];
};

/** Returns the permission on a stack, which a request names by its name or its ARN. Without either, it is about all stacks. */
const findStackAccess = (operation: string, { StackName }: JsonObject): Access[] => {
  const stack = String(StackName ?? '*');
  const isName = stack !== '*' && !stack.startsWith('arn:');
  return [{ action: `cloudformation:${operation}`, resource: isName ? stackArn(stack) : stack }];
};

const deduplicate = (accesses: readonly Access[]): readonly Access[] => [
  ...new Map(accesses.map((one) => [`${one.action} ${one.resource}`, one])).values(),
];

/**
 * Returns every permission that the request needs, without duplicates. Returns undefined for PartiQL, because its
 * statements are not parsed; the caller must refuse such requests.
 */
export const findRequiredAccess = ({
  service,
  operation,
  body,
}: ApiCall): readonly Access[] | undefined => {
  if (service === 'streams') return findStreamAccess(operation, body);
  if (service === 'cloudformation') return findStackAccess(operation, body);
  if (service === 'sqs') return findQueueAccess(operation, body);
  if (service === 'kms') return findKeyAccess(operation, body);
  switch (operation) {
    case 'BatchExecuteStatement':
    case 'ExecuteStatement':
    case 'ExecuteTransaction':
      return undefined;
    case 'BatchGetItem':
    case 'BatchWriteItem':
      return findBatchAccess(operation, body);
    case 'TransactGetItems':
    case 'TransactWriteItems':
      return deduplicate(findTransactionAccess(body));
    default:
      return findTableAccess(operation, body);
  }
};
