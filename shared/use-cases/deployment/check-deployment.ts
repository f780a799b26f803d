import {
  type LoosenedSetting,
  listLoosened,
  type ProtectedValues,
} from '../../domain/deployment/protections.ts';

/** The settings of a deployment. */
export interface Deployment {
  readonly settings: ProtectedValues;
  /** The settings that the deployment loosens on purpose. */
  readonly loosen: readonly string[];
}

/** The error for a deployment that loosens settings without naming them. */
class LoosenedSettingsError extends Error {
  override readonly name = 'LoosenedSettingsError';
}

/** Longest value in a message: CloudFormation shows the reason of a failure only up to a limit. */
const maxValueLength = 80;

const shorten = (value: string): string =>
  value.length > maxValueLength ? `${value.slice(0, maxValueLength)}…` : value;

const describe = ({ name, before, after }: LoosenedSetting): string =>
  `${name} from ${shorten(before)} to ${shorten(after)}`;

const refuse = (loosened: readonly LoosenedSetting[], why: string): LoosenedSettingsError => {
  const names = loosened.map(({ name }) => name).join(',');
  return new LoosenedSettingsError(
    `the deployment would change ${loosened.map(describe).join('; ')}${why}. Tables and settings stay as they are. Keep the values in the settings of the stage, or repeat the deployment with -c loosen=${names} to change them on purpose`,
  );
};

/**
 * Checks that a deployment neither loosens settings that protect the registry, nor replaces its tables, unless it names them.
 *
 * CloudFormation also rolls a failed deployment back by an update, whose properties are the earlier ones. Such an update must
 * succeed, or the stack would be stuck. The event does not mark it, and nothing documents which identifier of the resource it
 * carries, so only the status of the stack distinguishes it from a deployment that loosens. Without the status, the
 * check refuses: a deployment can be repeated, and CloudFormation continues a rollback that failed.
 *
 * @throws {LoosenedSettingsError} naming each setting with both values
 */
export const checkDeployment = async (
  before: Deployment | undefined,
  { settings, loosen }: Deployment,
  isRollingBack: () => Promise<boolean>,
): Promise<void> => {
  // In development, nothing needs protection.
  if (before?.settings['environment'] !== 'production') return;
  const loosened = listLoosened(before.settings, settings).filter(
    ({ name }) => !loosen.includes(name),
  );
  if (loosened.length === 0) return;
  const isRollback = await isRollingBack().catch((error: unknown) => {
    throw refuse(loosened, `, and the status of the stack cannot be read (${error})`);
  });
  if (!isRollback) throw refuse(loosened, '');
};
