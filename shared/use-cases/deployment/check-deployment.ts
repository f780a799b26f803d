import {
  type LoosenedSetting,
  listLoosened,
  type ProtectedValues,
} from '../../domain/deployment/protections.ts';

/** The release and the settings of a deployment. */
export interface Deployment {
  /** Number of the release's data format. Undefined for a release without such a number. */
  readonly dataFormat?: number | undefined;
  readonly settings: ProtectedValues;
  /** The settings that the deployment loosens on purpose. */
  readonly loosen: readonly string[];
}

/** The error for a deployment that would change what it does not name in `loosen`. */
class DeploymentRefusedError extends Error {
  override readonly name = 'DeploymentRefusedError';
}

/** Returns the error of a refusal. The text is added to what the deployment would change. */
type Refuse = (why: string) => DeploymentRefusedError;

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
  return (why) =>
    new DeploymentRefusedError(
      `the tables have data of format ${earlier}, and this release knows formats up to ${later}${why}. Tables and functions stay as they are. Deploy the release of the data, or restore all tables to a moment before their upgrade (docs/upgrade.md) and name the change with -c loosen=dataFormat,restoredTables,restoredStreams`,
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
  return (why) =>
    new DeploymentRefusedError(
      `the deployment would change ${loosened.map(describe).join('; ')}${why}. Tables and settings stay as they are. Keep the values in the settings of the stage, or repeat the deployment with -c loosen=${names} to change them on purpose`,
    );
};

/**
 * Checks that a deployment knows the format of the data, neither loosens settings that protect the registry, nor replaces its
 * tables, unless it names them.
 *
 * CloudFormation also rolls a failed deployment back by an update, whose properties are the earlier ones. Such an update must
 * succeed, or the stack would be stuck. The event does not mark it, and nothing documents which identifier of the resource it
 * carries, so only the status of the stack distinguishes it from a deployment that loosens. Without the status, the
 * check refuses: a deployment can be repeated, and CloudFormation continues a rollback that failed.
 *
 * @throws {DeploymentRefusedError} naming the formats, or each setting with both values
 */
export const checkDeployment = async (
  before: Deployment | undefined,
  after: Deployment,
  isRollingBack: () => Promise<boolean>,
): Promise<void> => {
  if (before === undefined) return;
  const refuse = findFormatRefusal(before, after) ?? findSettingsRefusal(before, after);
  if (refuse === undefined) return;
  const isRollback = await isRollingBack().catch((error: unknown) => {
    throw refuse(`, and the status of the stack cannot be read (${error})`);
  });
  if (!isRollback) throw refuse('');
};
