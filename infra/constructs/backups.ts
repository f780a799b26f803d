import { createHash } from 'node:crypto';
import { Names, Stack } from 'aws-cdk-lib';
import { CfnBackupPlan, CfnBackupSelection, CfnBackupVault } from 'aws-cdk-lib/aws-backup';
import type { ITableV2 } from 'aws-cdk-lib/aws-dynamodb';
import { ManagedPolicy, Role, ServicePrincipal } from 'aws-cdk-lib/aws-iam';
import { Construct } from 'constructs';
import type { Settings } from '../config.ts';
import { acknowledge } from './acknowledge.ts';
import { chooseRemovalPolicy } from './removal-policy.ts';

/** The least that AWS Backup keeps a backup, in days. The vault of this region only passes backups on: tables have their own history. */
const ownDays = 1;

/** Minutes in which a backup must begin, and must be done with its copy. AWS Backup accepts no shorter start. */
const startMinutes = 60;
const completionMinutes = 600;

const backupPolicy = 'service-role/AWSBackupServiceRolePolicyForBackup';

/** Returns the hours of a day at which a backup begins: `0,12` for an interval of 12. */
const listHours = ({ backupHours }: Settings): string =>
  Array.from({ length: 24 / backupHours }, (_, at) => at * backupHours).join();

interface BackupProps {
  readonly tables: readonly ITableV2[];
  readonly vaultArn: string;
  readonly settings: Settings;
}

/** The AWS Backup plan that copies tables to a vault in a second region. */
export class Backups extends Construct {
  constructor(scope: Construct, id: string, { tables, vaultArn, settings }: BackupProps) {
    super(scope, id);
    const { kmsKeyArn } = settings;
    const vault = new CfnBackupVault(this, 'Vault', {
      backupVaultName: this.nameVault(kmsKeyArn),
      ...(kmsKeyArn !== undefined && { encryptionKeyArn: kmsKeyArn }),
    });
    vault.applyRemovalPolicy(chooseRemovalPolicy(settings));
    const plan = new CfnBackupPlan(this, 'Plan', {
      backupPlan: {
        backupPlanName: `${settings.stackName}-tables`.slice(-50),
        backupPlanRule: [
          {
            ruleName: 'tables',
            targetBackupVault: vault.ref,
            scheduleExpression: `cron(0 ${listHours(settings)} * * ? *)`,
            startWindowMinutes: startMinutes,
            completionWindowMinutes: completionMinutes,
            lifecycle: { deleteAfterDays: ownDays },
            copyActions: [
              {
                destinationBackupVaultArn: vaultArn,
                lifecycle: { deleteAfterDays: settings.backupDays },
              },
            ],
          },
        ],
      },
    });
    new CfnBackupSelection(this, 'Selection', {
      backupPlanId: plan.ref,
      backupSelection: {
        selectionName: 'tables',
        iamRoleArn: this.makeRole().roleArn,
        resources: tables.map(({ tableArn }) => tableArn),
      },
    });
  }

  /**
   * Returns a name with the characters and the length that AWS Backup accepts. A vault keeps its key for ever: another key makes
   * another vault, which needs another name as long as the earlier one exists.
   */
  private nameVault(keyArn: string | undefined): string {
    const key = keyArn && createHash('sha256').update(keyArn).digest('hex').slice(0, 8);
    const suffix = key ? `-${key}` : '';
    const maxLength = 50 - suffix.length;
    return `${Names.uniqueResourceName(this, { maxLength, separator: '-' })}${suffix}`;
  }

  private makeRole(): Role {
    const role = new Role(this, 'Role', {
      assumedBy: new ServicePrincipal('backup.amazonaws.com', {
        conditions: { StringEquals: { 'aws:SourceAccount': Stack.of(this).account } },
      }),
      managedPolicies: [ManagedPolicy.fromAwsManagedPolicyName(backupPolicy)],
    });
    acknowledge(role, {
      [`IAM4[Policy::arn:<AWS::Partition>:iam::aws:policy/${backupPolicy}]`]:
        'AWS documents this policy for backups and copies, and extends it. With a list that lacks an action, copies would be missing when they are needed.',
    });
    return role;
  }
}
