import { BatchGetItemCommand, PutItemCommand } from '@aws-sdk/client-dynamodb';
import { beforeAll, describe, expect, it } from 'vitest';
import { tableArn } from '../src/template/names.ts';
import { parseStatements, UnsupportedPolicyError } from '../src/template/policy.ts';
import { notes, TableName as things, useAws } from './fixture/aws.ts';

/** The condition `dynamodb:LeadingKeys`, which limits a statement to the items with some partition keys. */

const aws = useAws();

const thing = (pk: string, sk = '#format') => ({ pk: { S: pk }, sk: { S: sk } });
const note = (id: string) => ({ id: { S: id } });

const read = async (requests: Readonly<Record<string, readonly object[]>>) => {
  const RequestItems = Object.fromEntries(
    Object.entries(requests).map(([table, Keys]) => [table, { Keys: [...Keys] as never[] }]),
  );
  const { Responses } = await aws.asProbe.send(new BatchGetItemCommand({ RequestItems }));
  return Responses;
};

describe('a statement with leading keys', () => {
  beforeAll(async () => {
    for (const Item of [thing('#format'), thing('#other'), thing('a'), thing('a', '1')]) {
      await aws.asAdministrator.send(new PutItemCommand({ TableName: things, Item }));
    }
    for (const Item of [note('#format'), note('a')]) {
      await aws.asAdministrator.send(new PutItemCommand({ TableName: notes.name, Item }));
    }
  });

  it('allows items with these partition keys, in one table and in several', async () => {
    expect(await read({ [things]: [thing('#format')] })).toEqual({ [things]: [thing('#format')] });
    expect(await read({ [things]: [thing('#format')], [notes.name]: [note('#format')] })).toEqual({
      [things]: [thing('#format')],
      [notes.name]: [note('#format')],
    });
    const both = await read({ [things]: [thing('#format'), thing('#other')] });
    expect(both?.[things]).toHaveLength(2);
    // By the name of the item, and not whether there is one.
    expect(await read({ [notes.name]: [note('#other')] })).toEqual({ [notes.name]: [] });
  });

  it.each<[string, Readonly<Record<string, readonly object[]>>, string]>([
    ['another item', { [things]: [thing('a')] }, things],
    ['another item beside an allowed one', { [things]: [thing('#format'), thing('a')] }, things],
    [
      'another item of one of two tables',
      { [things]: [thing('#format')], [notes.name]: [note('a')] },
      notes.name,
    ],
    ['an item whose sort key alone is named', { [things]: [thing('a', '#format')] }, things],
    ['a key that only begins alike', { [things]: [thing('#format ')] }, things],
    ['a key in other letters', { [things]: [thing('#FORMAT')] }, things],
    ['a request for another table', { Other: [note('#format')] }, 'Other'],
  ])('refuses %s', async (_, requests, table) => {
    await expect(read(requests)).rejects.toMatchObject({
      name: 'AccessDeniedException',
      message: expect.stringContaining(
        `perform: dynamodb:BatchGetItem on resource: ${tableArn(table)} because`,
      ),
    });
  });

  const Condition = { 'ForAllValues:StringEquals': { 'dynamodb:LeadingKeys': '#format' } };
  const statement = { Effect: 'Allow', Action: 'dynamodb:BatchGetItem', Resource: '*', Condition };

  it('may name one key or several', () => {
    const several = { 'dynamodb:LeadingKeys': ['#format', '#other'] };

    expect(parseStatements(statement)).toMatchObject([{ leadingKeys: ['#format'] }]);
    expect(
      parseStatements({ ...statement, Condition: { 'ForAllValues:StringEquals': several } }),
    ).toMatchObject([{ leadingKeys: ['#format', '#other'] }]);
  });

  // Requests of other operations are not read for their keys, so that such a statement would grant more than on AWS.
  it.each(['dynamodb:GetItem', 'dynamodb:Batch*', '*'])('is refused for %s', (Action) => {
    expect(() => parseStatements({ ...statement, Action })).toThrow(UnsupportedPolicyError);
    expect(() => parseStatements({ ...statement, Action })).toThrow('Condition');
  });
});
