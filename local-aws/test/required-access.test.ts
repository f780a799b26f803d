import { describe, expect, it } from 'vitest';
import type { ApiCall } from '../src/api-call.ts';
import { findRequiredAccess } from '../src/iam/required-access.ts';

const arn = 'arn:aws:dynamodb:us-east-1:000000000000:table/';

const call = (operation: string, body: ApiCall['body']): ApiCall => ({
  service: 'dynamodb',
  operation,
  body,
});

/** Returns each access as `Action Table`, with the end of the table's ARN. */
const shortened = (request: ApiCall): string[] | undefined =>
  findRequiredAccess(request)?.map(
    ({ action, resource }) => `${action.replace('dynamodb:', '')} ${resource.replace(arn, '')}`,
  );

describe('the access that a request needs', () => {
  it.each<[string, ApiCall, string[] | undefined]>([
    ['its table', call('GetItem', { TableName: 'A' }), ['GetItem A']],
    ['its table by ARN', call('GetItem', { TableName: `${arn}A` }), ['GetItem A']],
    ['its index', call('Query', { TableName: 'A', IndexName: 'i' }), ['Query A/index/i']],
    ['its index, for a scan', call('Scan', { TableName: 'A', IndexName: 'i' }), ['Scan A/index/i']],
    ['no table', call('ListTables', {}), ['ListTables *']],
    [
      'each table of a batch of reads',
      call('BatchGetItem', { RequestItems: { A: {}, B: {} } }),
      ['BatchGetItem A', 'BatchGetItem B'],
    ],
    [
      'each table of a batch of writes',
      call('BatchWriteItem', { RequestItems: { A: [] } }),
      ['BatchWriteItem A'],
    ],
    [
      'the action of each item of a transaction, once',
      call('TransactWriteItems', {
        TransactItems: [
          { Put: { TableName: 'A' } },
          { Put: { TableName: 'A' } },
          { Update: { TableName: 'A' } },
          { Delete: { TableName: 'B' } },
          { ConditionCheck: { TableName: 'B' } },
        ],
      }),
      ['PutItem A', 'UpdateItem A', 'DeleteItem B', 'ConditionCheckItem B'],
    ],
    [
      'a read of each item of a transaction of reads',
      call('TransactGetItems', { TransactItems: [{ Get: { TableName: 'A' } }] }),
      ['GetItem A'],
    ],
    [
      'a read as well where a failed condition returns the item',
      call('PutItem', { TableName: 'A', ReturnValuesOnConditionCheckFailure: 'ALL_OLD' }),
      ['PutItem A', 'GetItem A'],
    ],
    [
      'a read as well where a failed condition of a transaction returns the item',
      call('TransactWriteItems', {
        TransactItems: [
          { Put: { TableName: 'A', ReturnValuesOnConditionCheckFailure: 'ALL_OLD' } },
          { Update: { TableName: 'B', ReturnValuesOnConditionCheckFailure: 'NONE' } },
        ],
      }),
      ['PutItem A', 'GetItem A', 'UpdateItem B'],
    ],
    ['PartiQL, which is not read', call('ExecuteStatement', { Statement: 'SELECT' }), undefined],
    [
      'its stream, under whatever label',
      {
        service: 'streams',
        operation: 'DescribeStream',
        body: { StreamArn: 'arn:aws:dynamodb:elsewhere:000000000000:table/A/stream/17.4' },
      },
      ['DescribeStream A/stream/local'],
    ],
    [
      'its key by id',
      { service: 'kms', operation: 'Sign', body: { KeyId: 'A' } },
      ['kms:Sign arn:aws:kms:us-east-1:000000000000:key/A'],
    ],
    [
      'its key by ARN',
      { service: 'kms', operation: 'Sign', body: { KeyId: 'arn:aws:kms:eu-west-1:1:key/A' } },
      ['kms:Sign arn:aws:kms:eu-west-1:1:key/A'],
    ],
  ])('covers %s', (_, request, accesses) => {
    expect(shortened(request)).toEqual(accesses);
  });
});
