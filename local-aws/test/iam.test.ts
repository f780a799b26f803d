import { describe, expect, it } from 'vitest';
import {
  createPolicy,
  parseStatements,
  type Statement,
  UnsupportedPolicyError,
} from '../src/template/policy.ts';

const table = 'arn:aws:dynamodb:us-east-1:000000000000:table/Things';

const allow = (actions: string[], resources: string[]): Statement => ({
  effect: 'Allow',
  actions,
  resources,
});
const deny = (actions: string[], resources: string[]): Statement => ({
  ...allow(actions, resources),
  effect: 'Deny',
});

describe('a policy', () => {
  it.each<[string, Statement[], string, string, string]>([
    [
      'allows what is named',
      [allow(['dynamodb:GetItem'], [table])],
      'dynamodb:GetItem',
      table,
      'allowed',
    ],
    ['allows nothing without statements', [], 'dynamodb:GetItem', table, 'not allowed'],
    [
      'allows no other action',
      [allow(['dynamodb:GetItem'], [table])],
      'dynamodb:PutItem',
      table,
      'not allowed',
    ],
    [
      'compares actions without regard to case',
      [allow(['DynamoDB:getitem'], [table])],
      'dynamodb:GetItem',
      table,
      'allowed',
    ],
    [
      'compares resources exactly',
      [allow(['dynamodb:GetItem'], [table.toLowerCase()])],
      'dynamodb:GetItem',
      table,
      'not allowed',
    ],
    [
      'reaches no index through its table',
      [allow(['dynamodb:Query'], [table])],
      'dynamodb:Query',
      `${table}/index/by-size`,
      'not allowed',
    ],
    [
      'reaches every index by a star',
      [allow(['dynamodb:Query'], [`${table}/index/*`])],
      'dynamodb:Query',
      `${table}/index/by-size`,
      'allowed',
    ],
    [
      'takes a star for any part of an action',
      [allow(['dynamodb:*Item'], [table])],
      'dynamodb:PutItem',
      table,
      'allowed',
    ],
    [
      'takes a question mark for one character',
      [allow(['dynamodb:?etItem'], [table])],
      'dynamodb:GetItem',
      table,
      'allowed',
    ],
    [
      'takes a question mark for no more',
      [allow(['dynamodb:?Item'], [table])],
      'dynamodb:GetItem',
      table,
      'not allowed',
    ],
    [
      'takes a dot for a dot only',
      [allow(['dynamodb:GetItem'], ['a.c'])],
      'dynamodb:GetItem',
      'abc',
      'not allowed',
    ],
    [
      'lets a denial win',
      [allow(['*'], ['*']), deny(['dynamodb:Get*'], [table])],
      'dynamodb:GetItem',
      table,
      'denied explicitly',
    ],
    [
      'keeps a denial to its resource',
      [allow(['*'], ['*']), deny(['dynamodb:*'], ['other'])],
      'dynamodb:GetItem',
      table,
      'allowed',
    ],
  ])('%s', (_, statements, action, resource, decision) => {
    const policy = createPolicy(statements);

    expect(policy(action, resource)).toBe(decision);
  });
});

describe('statements', () => {
  it('may be one or many, with one or many actions and resources', () => {
    const one = { Effect: 'Allow', Action: 'dynamodb:GetItem', Resource: table };

    expect(parseStatements(one)).toEqual([allow(['dynamodb:GetItem'], [table])]);
    expect(parseStatements([one, { ...one, Effect: 'Deny', Resource: [table, '*'] }])).toEqual([
      allow(['dynamodb:GetItem'], [table]),
      deny(['dynamodb:GetItem'], [table, '*']),
    ]);
  });

  it.each([
    ['NotAction', { Effect: 'Allow', NotAction: '*', Resource: '*' }, 'Action'],
    ['NotResource', { Effect: 'Deny', Action: '*', NotResource: '*' }, 'Resource'],
    [
      'Condition',
      { Effect: 'Allow', Action: '*', Resource: '*', Condition: { Bool: {} } },
      'Condition',
    ],
  ])('refuses %s, which would change what is granted', (_, statement, named) => {
    expect(() => parseStatements(statement)).toThrow(UnsupportedPolicyError);
    expect(() => parseStatements(statement)).toThrow(named);
  });
});
