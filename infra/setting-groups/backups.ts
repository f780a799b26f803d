/** The settings with which a deployment copies its tables and its token list to a second region. */
import type * as z from 'zod';
import { arn, keyArn, whole } from '../setting-kinds.ts';

/** AWS Backup begins a backup once an hour at most. These intervals divide a day. */
const intervals = [1, 2, 3, 4, 6, 8, 12, 24];

/** The settings of backups: where the copies go, how often, and for how long. */
export const backupSettings = {
  /** The backup vault in a second region that receives copies of all tables. Without it, there are no copies. */
  backupVaultArn: arn(
    'backup:[a-z0-9-]+:\\d{12}:backup-vault:[A-Za-z0-9_.-]{1,50}',
    'a backup vault in a second region',
  ).optional(),
  /** The interval of the copies in hours. */
  backupHours: whole('must be a number of hours')
    .refine((hours) => intervals.includes(hours), {
      error: `must be one of ${intervals.join(', ')}`,
    })
    .default(1),
  /** The days for which the second region keeps each copy. */
  backupDays: whole('must be a number of days')
    .refine((days) => days >= 1 && days <= 365, { error: 'must be from 1 to 365' })
    .default(7),
  /** The key of the second region that encrypts its copy of the token list. Its vault has a key of its own. */
  backupKeyArn: keyArn.optional(),
};

type BackupSettings = z.output<z.ZodObject<typeof backupSettings>>;

/** Returns the region of the vault that receives the copies; undefined without one. */
export const findBackupRegion = ({
  backupVaultArn,
}: Pick<BackupSettings, 'backupVaultArn'>): string | undefined => backupVaultArn?.split(':')[3];

type KeySettings = Pick<BackupSettings, 'backupVaultArn' | 'backupKeyArn'> & {
  readonly kmsKeyArn?: string | undefined;
};

/** Returns why the key of the second region is not valid; undefined if it is. A key encrypts nothing in other regions. */
export const findBackupKeyFault = ({
  kmsKeyArn,
  backupKeyArn,
  backupVaultArn,
}: KeySettings): string | undefined => {
  if (backupKeyArn === undefined) {
    return kmsKeyArn !== undefined && backupVaultArn !== undefined
      ? 'is required: kmsKeyArn encrypts nothing in the region of backupVaultArn'
      : undefined;
  }
  const region = findBackupRegion({ backupVaultArn });
  if (region === undefined) return 'is for the copies that backupVaultArn names';
  return backupKeyArn.split(':')[3] === region
    ? undefined
    : `must be a key in ${region}, the region of backupVaultArn`;
};
