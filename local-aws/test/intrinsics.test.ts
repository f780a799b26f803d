import { describe, expect, it } from 'vitest';
import type { Template } from '../src/template/assembly.ts';
import { createResolver } from '../src/template/intrinsics.ts';

describe('an intrinsic function', () => {
  const template: Template = {
    stackName: 'Stack',
    parameters: { Size: 5 },
    assets: {},
    outputs: {},
    resources: [
      {
        id: 'T',
        type: 'AWS::DynamoDB::Table',
        properties: { TableName: { 'Fn::Sub': `\${AWS::StackName}-t` } },
      },
      { id: 'S', type: 'AWS::SecretsManager::Secret', properties: {} },
    ],
  };
  const resolve = createResolver(template);
  const account = 'us-east-1:000000000000';

  it.each<[object, unknown]>([
    [{ Ref: 'T' }, 'Stack-t'],
    [{ Ref: 'S' }, `arn:aws:secretsmanager:${account}:secret:S-AbCdEf`],
    [{ Ref: 'Size' }, 5],
    [{ 'Fn::GetAtt': ['T', 'Arn'] }, `arn:aws:dynamodb:${account}:table/Stack-t`],
    [{ 'Fn::GetAtt': 'T.StreamArn' }, `arn:aws:dynamodb:${account}:table/Stack-t/stream/local`],
    [{ 'Fn::Join': ['/', ['a', { Ref: 'AWS::Region' }]] }, 'a/us-east-1'],
    [{ 'Fn::Select': [1, { 'Fn::Split': [':', 'a:b:c'] }] }, 'b'],
    [
      { 'Fn::Sub': `\${T.Arn}|\${!Kept}|\${AWS::Partition}` },
      `arn:aws:dynamodb:${account}:table/Stack-t|\${Kept}|aws`,
    ],
    [{ 'Fn::Sub': [`\${A}-\${Size}`, { A: { Ref: 'T' } }] }, 'Stack-t-5'],
    [{ a: { Ref: 'AWS::NoValue' }, b: [{ Ref: 'AWS::NoValue' }, 1] }, { b: [1] }],
  ])('%j gives %j', (value, expected) => {
    expect(resolve(value)).toEqual(expected);
  });
});

describe('what has no local value', () => {
  const resolve = createResolver({
    stackName: 'Stack',
    parameters: {},
    assets: {},
    outputs: {},
    resources: [],
  });

  it.each<[object, string]>([
    [{ Ref: 'Gone' }, 'Ref to Gone'],
    [{ 'Fn::GetAtt': ['Gone', 'Arn'] }, 'Fn::GetAtt Gone.Arn'],
    [{ 'Fn::If': ['c', 1, 2] }, 'intrinsic function Fn::If'],
    [{ 'Fn::Select': [3, ['a']] }, 'beyond the end'],
    [{ 'Fn::Join': ['', { Ref: 'AWS::Region' }] }, 'expected a list'],
  ])('%j is refused', (value, message) => {
    expect(() => resolve(value)).toThrow(message);
  });
});
