import { Match, type Template } from 'aws-cdk-lib/assertions';
import { beforeAll, describe, expect, it } from 'vitest';
import { parseSettings } from '../../infra/config.ts';
import { tables } from '../../shared/api/resources.ts';
import { synthesiseStack } from '../support/stack-template.ts';
import { findResource, listResources } from './properties/property.ts';

const backupVaultArn = 'arn:aws:backup:eu-central-1:123456789012:backup-vault:registry-copies';

const kmsKeyArn = 'arn:aws:kms:eu-west-1:123456789012:key/01234567-89ab-cdef-0123-456789abcdef';

const countResources = (template: Template): number =>
  Object.keys(template.toJSON()['Resources']).length;

describe('a stack with copies in a second region', () => {
  let plain: Template;
  let rare: Template;
  let backedUp: Template;
  beforeAll(() => {
    plain = synthesiseStack({});
    rare = synthesiseStack({ backupVaultArn, backupHours: 12, backupDays: 30 });
    backedUp = synthesiseStack({ backupVaultArn });
  });

  it('has four more resources, and none without the setting', () => {
    expect(listResources(plain, 'AWS::Backup::BackupPlan')).toEqual([]);
    expect(countResources(backedUp) - countResources(plain)).toBe(4);
  });

  it('backs up every hour, copies each backup, and keeps it for a day here and for a week there', () => {
    const vault = findResource(backedUp, 'AWS::Backup::BackupVault', 'Backups');
    const hours = Array.from({ length: 24 }, (_, hour) => hour).join();

    backedUp.hasResourceProperties('AWS::Backup::BackupPlan', {
      BackupPlan: Match.objectLike({
        BackupPlanRule: [
          Match.objectLike({
            ScheduleExpression: `cron(0 ${hours} * * ? *)`,
            TargetBackupVault: { Ref: vault.id },
            Lifecycle: { DeleteAfterDays: 1 },
            CopyActions: [
              { DestinationBackupVaultArn: backupVaultArn, Lifecycle: { DeleteAfterDays: 7 } },
            ],
          }),
        ],
      }),
    });
    const plan = JSON.stringify(listResources(rare, 'AWS::Backup::BackupPlan'));
    expect(plan).toContain('cron(0 0,12 * * ? *)');
    expect(plan).toContain('"DeleteAfterDays":30');
    expect(vault['DeletionPolicy']).toBe('RetainExceptOnCreate');
    expect(vault['Properties'].BackupVaultName).toMatch(/^[A-Za-z0-9_-]{2,50}$/);
  });

  it('selects every table except the answers to repeated requests', () => {
    const selected = findResource(backedUp, 'AWS::Backup::BackupSelection', 'Backups');
    const { Resources } = selected['Properties'].BackupSelection;
    const expected = listResources(backedUp, 'AWS::DynamoDB::GlobalTable')
      .filter(({ id }) => !id.includes('Idempotency'))
      .map(({ id }) => ({ 'Fn::GetAtt': [id, 'Arn'] }));

    expect(expected).toHaveLength(Object.keys(tables).length - 1);
    expect(Resources).toHaveLength(expected.length);
    expect(Resources).toEqual(expect.arrayContaining(expected));
  });

  it('also selects restored tables', () => {
    const restored = synthesiseStack({ backupVaultArn, restoredTables: { scans: 'scans-again' } });
    const selected = findResource(restored, 'AWS::Backup::BackupSelection', 'Backups');

    expect(JSON.stringify(selected)).toContain(':table/scans-again');
  });

  it('has a role that AWS Backup alone may take, for this account', () => {
    const role = findResource(backedUp, 'AWS::IAM::Role', 'Backups');

    expect(role['Properties'].AssumeRolePolicyDocument.Statement).toEqual([
      {
        Action: 'sts:AssumeRole',
        Effect: 'Allow',
        Principal: { Service: 'backup.amazonaws.com' },
        Condition: { StringEquals: { 'aws:SourceAccount': { Ref: 'AWS::AccountId' } } },
      },
    ]);
    expect(JSON.stringify(role['Properties'].ManagedPolicyArns)).toContain(
      'service-role/AWSBackupServiceRolePolicyForBackup',
    );
    expect(role['Properties'].Policies).toBeUndefined();
  });

  it('copies the token list to the region of the vault', () => {
    const findSecret = (template: Template) =>
      findResource(template, 'AWS::SecretsManager::Secret', 'Tokens')['Properties'];

    expect(findSecret(backedUp).ReplicaRegions).toEqual([{ Region: 'eu-central-1' }]);
    expect(findSecret(plain).ReplicaRegions).toBeUndefined();
  });

  it.each([
    [{ backupVaultArn: 'registry-copies' }, /^backupVaultArn must be the ARN of a backup vault/],
    [{ backupHours: '5' }, /^backupHours must be one of 1, 2, 3, 4, 6, 8, 12, 24$/],
    [{ backupDays: '0' }, /^backupDays must be from 1 to 365$/],
    [
      { backupVaultArn, kmsKeyArn },
      /^backupKeyArn is required: kmsKeyArn encrypts nothing in the region of backupVaultArn$/,
    ],
    [
      { backupVaultArn, backupKeyArn: kmsKeyArn },
      /^backupKeyArn must be a key in eu-central-1, the region of backupVaultArn$/,
    ],
    [{ backupKeyArn: kmsKeyArn }, /^backupKeyArn is for the copies that backupVaultArn names$/],
  ])('refuses %j', (settings, message) => {
    expect(() => parseSettings(settings)).toThrow(message);
  });
});
