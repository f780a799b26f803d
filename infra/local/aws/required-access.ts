/** Which permissions a DynamoDB request needs: https://docs.aws.amazon.com/service-authorization/latest/reference/list_amazondynamodb.html */
import { streamArn, tableArn } from '../template/names.ts';
import { type ApiCall, isObject, type JsonObject } from './api-call.ts';

/** An action and the ARN that it is done to. */
export interface Access {
  readonly action: string;
  readonly resource: string;
}

const access = (operation: string, resource: string): Access => ({
  action: `dynamodb:${operation}`,
  resource,
});

/** A table may be given by its name or by its ARN. */
const arnOf = (table: unknown): string =>
  String(table).startsWith('arn:') ? String(table) : tableArn(String(table));

/** A failed condition that returns the item is a read, though DynamoDB's documentation does not ask for it. */
function readOfOldItem({ TableName, ReturnValuesOnConditionCheckFailure }: JsonObject): Access[] {
  return ReturnValuesOnConditionCheckFailure === 'ALL_OLD'
    ? [access('GetItem', arnOf(TableName))]
    : [];
}

function singleTable(operation: string, body: JsonObject): Access[] {
  const { TableName, IndexName } = body;
  if (TableName === undefined) return [access(operation, '*')];
  const table = arnOf(TableName);
  const resource = IndexName === undefined ? table : `${table}/index/${String(IndexName)}`;
  return [access(operation, resource), ...readOfOldItem(body)];
}

function batch(operation: string, { RequestItems }: JsonObject): Access[] {
  const tables = isObject(RequestItems) ? Object.keys(RequestItems) : [];
  return tables.map((table) => access(operation, arnOf(table)));
}

const transactionActions: Readonly<Record<string, string>> = {
  ConditionCheck: 'ConditionCheckItem',
  Delete: 'DeleteItem',
  Get: 'GetItem',
  Put: 'PutItem',
  Update: 'UpdateItem',
};

function transactionItem(item: unknown): Access[] {
  if (!isObject(item)) return [];
  return Object.entries(item).flatMap(([kind, request]) => {
    const action = transactionActions[kind];
    if (action === undefined || !isObject(request)) return [];
    return [access(action, arnOf(request['TableName'])), ...readOfOldItem(request)];
  });
}

const transaction = ({ TransactItems }: JsonObject): Access[] =>
  Array.isArray(TransactItems) ? TransactItems.flatMap(transactionItem) : [];

/** The engine's label of a stream is its own, so a stream is known by its table. A shard iterator names none. */
function stream(operation: string, { StreamArn }: JsonObject): Access[] {
  const table = /:table\/([^/]+)\/stream\//.exec(String(StreamArn))?.[1];
  return [access(operation, table === undefined ? '*' : streamArn(table))];
}

const deduplicated = (accesses: readonly Access[]): readonly Access[] => [
  ...new Map(accesses.map((one) => [`${one.action} ${one.resource}`, one])).values(),
];

/**
 * Every permission that the request needs, each once. Undefined for PartiQL, whose statements are not read here; the
 * caller has to refuse those.
 */
export function requiredAccess({
  service,
  operation,
  body,
}: ApiCall): readonly Access[] | undefined {
  if (service === 'streams') return stream(operation, body);
  switch (operation) {
    case 'BatchExecuteStatement':
    case 'ExecuteStatement':
    case 'ExecuteTransaction':
      return undefined;
    case 'BatchGetItem':
    case 'BatchWriteItem':
      return batch(operation, body);
    case 'TransactGetItems':
    case 'TransactWriteItems':
      return deduplicated(transaction(body));
    default:
      return singleTable(operation, body);
  }
}
