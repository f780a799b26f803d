import {
  type LoosenedSetting,
  listLoosened,
  type ProtectedValues,
} from '../../domain/deployment/protections.ts';
import { type Refuse, refuseUnlessRollback } from './refuse-unless-rollback.ts';

/** The release and the settings of a deployment. */
export interface Deployment {
  /** Number of the release's data format. Undefined for a release without such a number. */
  readonly dataFormat?: number | undefined;
  /**
   * What CloudFormation cannot change in each table of the stack without replacing it, by table id. Undefined for a release
   * without this property. Restored tables are not part of the stack.
   */
  readonly tables?: Readonly<Record<string, string>> | undefined;
  readonly settings: ProtectedValues;
  /** The settings that the deployment loosens on purpose. */
  readonly loosen: readonly string[];
}

/** The error for a deployment that would change what it does not name in `loosen`. */
class DeploymentRefusedError extends Error {
  override readonly name = 'DeploymentRefusedError';
}

/** Longest value in a message: CloudFormation shows the reason of a failure only up to a limit. */
const maxValueLength = 80;

const shorten = (value: string): string =>
  value.length > maxValueLength ? `${value.slice(0, maxValueLength)}…` : value;

const describe = ({ name, before, after }: LoosenedSetting): string =>
  `${name} from ${shorten(before)} to ${shorten(after)}`;

const findFormatRefusal = (before: Deployment, after: Deployment): Refuse | undefined => {
  const [earlier, later] = [before.dataFormat, after.dataFormat];
  if (earlier === undefined || later === undefined || later >= earlier) return undefined;
  if (after.loosen.includes('dataFormat')) return undefined;
  return (addition) =>
    new DeploymentRefusedError(
      `the tables have data of format ${earlier}, and this release knows formats up to ${later}${addition}. Tables and functions stay as they are. Deploy the release of the data, or restore all tables to a moment before their upgrade (docs/upgrade.md) and name the change with -c loosen=dataFormat,restoredTables,restoredStreams`,
    );
};

const findTablesRefusal = (before: Deployment, after: Deployment): Refuse | undefined => {
  if (before.settings['environment'] !== 'production') return undefined;
  if (after.loosen.includes('tables')) return undefined;
  const replaced = Object.entries(before.tables ?? {}).flatMap(([id, table]) => {
    const next = after.tables?.[id];
    return next === undefined || next === table ? [] : [`${id} (${table} would be ${next})`];
  });
  if (replaced.length === 0) return undefined;
  return (addition) =>
    new DeploymentRefusedError(
      `CloudFormation would replace tables with empty ones: ${replaced.join('; ')}${addition}. Tables and functions stay as they are. Deploy a release that keeps the name, the keys and the local indexes of its tables, or repeat the deployment with -c loosen=tables to begin with empty tables`,
    );
};

const findSettingsRefusal = (before: Deployment, after: Deployment): Refuse | undefined => {
  // In development, no setting needs protection.
  if (before.settings['environment'] !== 'production') return undefined;
  const loosened = listLoosened(before.settings, after.settings).filter(
    ({ name }) => !after.loosen.includes(name),
  );
  if (loosened.length === 0) return undefined;
  const names = loosened.map(({ name }) => name).join(',');
  return (addition) =>
    new DeploymentRefusedError(
      `the deployment would change ${loosened.map(describe).join('; ')}${addition}. Tables and settings stay as they are. Keep the values in the settings of the stage, or repeat the deployment with -c loosen=${names} to change them on purpose`,
    );
};

/**
 * Checks that a deployment knows the format of the data, neither loosens settings that protect the registry, nor replaces its
 * tables, unless it names them. A rollback of the stack is accepted.
 * @throws {DeploymentRefusedError} naming the formats, or each setting with both values
 */
export const checkDeployment = async (
  before: Deployment | undefined,
  after: Deployment,
  isRollingBack: () => Promise<boolean>,
): Promise<void> => {
  if (before === undefined) return;
  const refuse =
    findFormatRefusal(before, after) ??
    findTablesRefusal(before, after) ??
    findSettingsRefusal(before, after);
  if (refuse !== undefined) await refuseUnlessRollback(refuse, isRollingBack);
};
