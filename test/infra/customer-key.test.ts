import type { Template } from 'aws-cdk-lib/assertions';
import { describe, expect, it } from 'vitest';
import { allFunctions } from '../../shared/api/functions.ts';
import { synthesiseStack } from '../support/stack-template.ts';
import { allSettings } from './all-settings.ts';
import {
  findResource,
  listResources,
  listStatements,
  statementsOf,
  toLogicalId,
} from './properties/property.ts';

const { kmsKeyArn: keyArn, backupKeyArn, ...others } = allSettings;
const encrypted = synthesiseStack(allSettings);
const plain = synthesiseStack(others);
const withOtherKey = synthesiseStack({ ...allSettings, kmsKeyArn: keyArn.replace('89ab', '89ac') });

/** Where each type that stores data has its key. A type that has none of these stores nothing, or is named below. */
const keyOf: Readonly<Record<string, string>> = {
  'AWS::Backup::BackupVault': 'EncryptionKeyArn',
  'AWS::DynamoDB::GlobalTable': 'Replicas.0.SSESpecification.KMSMasterKeyId',
  'AWS::Events::EventBus': 'KmsKeyIdentifier',
  'AWS::Logs::LogGroup': 'KmsKeyId',
  'AWS::SecretsManager::Secret': 'KmsKeyId',
  'AWS::SNS::Topic': 'KmsMasterKeyId',
  'AWS::SQS::Queue': 'KmsMasterKeyId',
};

/** Types with a key of their own that stay with a key of AWS: they hold names and addresses, or a secret of EventBridge. */
const withAwsKeys = ['AWS::Events::Connection', 'AWS::Lambda::Function', 'AWS::Pipes::Pipe'];

const find = (value: unknown, path: string): unknown =>
  path
    .split('.')
    .reduce((part, name) => (part as Record<string, unknown> | undefined)?.[name], value);

const listTypes = (template: Template): string[] => [
  ...new Set(
    Object.values(template.toJSON()['Resources'] as Record<string, { Type: string }>).map(
      ({ Type }) => Type,
    ),
  ),
];

const keyStatements = (id: string) =>
  statementsOf(findResource(encrypted, 'AWS::IAM::Role', `${toLogicalId(id)}Role`))
    .map((statement) => statement as typeof statement & { Condition?: unknown })
    .filter(({ Action }) => [Action].flat().some((action) => action.startsWith('kms:')))
    .filter(({ Resource }) => Resource === keyArn);

const via = (service: string) => ({
  StringEquals: {
    'kms:ViaService': {
      'Fn::Join': ['', [`${service}.`, { Ref: 'AWS::Region' }, '.amazonaws.com']],
    },
  },
});

describe('a key of the account', () => {
  it.each(Object.entries(keyOf))('encrypts each resource of the type %s', (type, path) => {
    const keys = listResources(encrypted, type).map(({ Properties }) => find(Properties, path));

    expect(new Set(keys)).toEqual(new Set([keyArn]));
    for (const { Properties } of listResources(plain, type)) {
      expect(find(Properties, path)).toBeUndefined();
    }
  });

  it('is that of the table and its replica, by the type KMS', () => {
    for (const { Properties } of listResources(encrypted, 'AWS::DynamoDB::GlobalTable')) {
      expect(Properties.SSESpecification).toEqual({ SSEEnabled: true, SSEType: 'KMS' });
      expect(Properties.Replicas).toHaveLength(1);
    }
  });

  it('is known to each type of the stack that may have one', () => {
    const covered = [...Object.keys(keyOf), ...withAwsKeys];
    const storing = listTypes(encrypted).filter((type) =>
      /^AWS::(Backup::BackupVault|DynamoDB|Events::(EventBus|Connection)|Kinesis|Lambda::Function|Logs::LogGroup|Pipes|S3::Bucket|SecretsManager::Secret$|SNS::Topic$|SQS::Queue$)/.test(
        type,
      ),
    );

    expect(covered).toEqual(expect.arrayContaining(storing));
  });

  it('of the second region encrypts the copy of the token list there, which no other key can', () => {
    const findReplicas = (template: Template) =>
      findResource(template, 'AWS::SecretsManager::Secret', 'Tokens')['Properties'].ReplicaRegions;

    expect(findReplicas(encrypted)).toEqual([{ Region: 'eu-central-1', KmsKeyId: backupKeyArn }]);
    expect(findReplicas(plain)).toEqual([{ Region: 'eu-central-1' }]);
  });

  it('makes another vault with another name, since no vault changes its key', () => {
    const names = [plain, encrypted, withOtherKey].map(
      (template) =>
        findResource(template, 'AWS::Backup::BackupVault', 'Backups')['Properties'].BackupVaultName,
    );

    expect(new Set(names).size).toBe(3);
    for (const name of names) expect(name).toMatch(/^[A-Za-z0-9_-]{2,50}$/);
    const vault = findResource(encrypted, 'AWS::Backup::BackupVault', 'Backups');
    expect(vault['UpdateReplacePolicy']).toBe('Retain');
  });

  it('adds no resource', () => {
    expect(listTypes(encrypted).toSorted()).toEqual(listTypes(plain).toSorted());
    const [more, fewer] = [encrypted, plain].map((template) =>
      Object.keys(template.toJSON()['Resources']),
    );
    expect(more?.length).toBe(fewer?.length);
  });

  it('is granted to a function that reads tables and the token list for that alone', () => {
    expect(
      keyStatements('show-caller').map(({ Action, Condition }) => [Action, Condition]),
    ).toEqual(expect.arrayContaining([['kms:Decrypt', via('secretsmanager')]]));
    const reader = keyStatements('list-versions').flatMap(({ Action }) => Action);
    expect(new Set(reader)).toEqual(new Set(['kms:Decrypt', 'kms:DescribeKey']));
  });

  it('is granted to a function that writes to tables and queues with the actions of writing', () => {
    expect(
      keyStatements('forward-versions').map(({ Action, Condition }) => [Action, Condition]),
    ).toEqual(expect.arrayContaining([[['kms:Decrypt', 'kms:GenerateDataKey'], via('sqs')]]));
    expect(
      keyStatements('rotate-tokens').map(({ Action, Condition }) => [Action, Condition]),
    ).toEqual([[['kms:Decrypt', 'kms:GenerateDataKey'], via('secretsmanager')]]);
    expect(keyStatements('sequence-events').flatMap(({ Action }) => Action)).toEqual([
      ...['kms:Decrypt', 'kms:DescribeKey', 'kms:Encrypt', 'kms:GenerateDataKey'],
      ...['kms:ReEncryptFrom', 'kms:ReEncryptTo'],
    ]);
  });

  it('is granted to the pipe, which reads a stream and writes to the dead letters', () => {
    const statements = keyStatements('EventBus');

    expect(statements.map(({ Condition }) => Condition)).toEqual([via('dynamodb'), via('sqs')]);
  });

  it.each(allFunctions.map(({ id }) => id))('is granted to %s only by a service', (id) => {
    for (const { Action, Condition } of keyStatements(id)) {
      expect(JSON.stringify(Action)).not.toContain('*');
      expect(JSON.stringify(Condition)).toContain('kms:ViaService');
    }
  });

  it('is not granted without the setting', () => {
    expect(JSON.stringify(listStatements(plain))).not.toContain('kms:ViaService');
  });
});

describe('the default endpoint', () => {
  it('is closed by the setting, with a new deployment of the stage', () => {
    const [closed, open] = [
      encrypted,
      synthesiseStack({ ...allSettings, disableDefaultEndpoint: false }),
    ];
    const [api, openApi] = [closed, open].map(
      (template) => findResource(template, 'AWS::ApiGateway::RestApi', 'Api')['Properties'],
    );
    const [deployment, before] = [closed, open].map(
      (template) => findResource(template, 'AWS::ApiGateway::Deployment', 'Api').id,
    );

    expect(api.DisableExecuteApiEndpoint).toBe(true);
    expect(openApi).not.toHaveProperty('DisableExecuteApiEndpoint');
    expect(deployment).not.toBe(before);
  });

  it('is in no output: the address of the API is the domain', () => {
    const { Outputs } = encrypted.toJSON();

    expect(JSON.stringify(Outputs)).not.toContain('execute-api');
    expect(Outputs.ApiUrl.Value).toEqual({
      'Fn::Join': ['', ['https://', { Ref: expect.stringMatching(/^ApiDomain/) }]],
    });
  });
});
