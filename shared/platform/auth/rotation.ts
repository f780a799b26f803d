import {
  DescribeSecretCommand,
  GetSecretValueCommand,
  PutSecretValueCommand,
  ResourceNotFoundException,
  UpdateSecretVersionStageCommand,
} from '@aws-sdk/client-secrets-manager';
import { checkFits } from '../../domain/tokens/list-size.ts';
import { createToken } from '../../domain/tokens/new-token.ts';
import { parseTokenList } from '../../domain/tokens/token-list.ts';
import { rotateList } from './rotated-list.ts';
import { secretsManager } from './token-secret.ts';

/** One rotation of one secret. Its new secret version has `token` as its id. */
export interface Rotation {
  readonly secretArn: string;
  readonly token: string;
  /** Number of earlier tokens that stay valid for the overlap. */
  readonly kept: number;
}

const current = 'AWSCURRENT';
const pending = 'AWSPENDING';
/** Prefix of the label that names the source version of a pending version. */
const derivedFrom = 'DERIVED_FROM_';

/** Returns the staging labels of the rotation's version; empty before that version exists. */
const readStages = async ({ secretArn, token }: Rotation): Promise<readonly string[]> => {
  const { VersionIdsToStages } = await secretsManager.send(
    new DescribeSecretCommand({ SecretId: secretArn }),
  );
  return VersionIdsToStages?.[token] ?? [];
};

/** True if the rotation's version has a value. Secrets Manager labels the version before that. */
const hasValue = async ({ secretArn, token }: Rotation): Promise<boolean> => {
  try {
    await secretsManager.send(new GetSecretValueCommand({ SecretId: secretArn, VersionId: token }));
    return true;
  } catch (error) {
    if (error instanceof ResourceNotFoundException) return false;
    throw error;
  }
};

/** Creates the pending version from the current one, if it does not exist yet. */
export const createSecret = async (rotation: Rotation): Promise<void> => {
  const { secretArn, token, kept } = rotation;
  if (await hasValue(rotation)) return;
  const { SecretString: value, VersionId: source } = await secretsManager.send(
    new GetSecretValueCommand({ SecretId: secretArn, VersionStage: current }),
  );
  if (value === undefined) throw new Error('The token secret holds no text');
  // A repeated step cannot change an existing version, so a faulty list must fail before its creation.
  parseTokenList(value);
  const rotated = rotateList(value, createToken(), kept);
  checkFits(rotated);
  await secretsManager.send(
    new PutSecretValueCommand({
      SecretId: secretArn,
      ClientRequestToken: token,
      SecretString: rotated,
      VersionStages: [pending, `${derivedFrom}${source}`],
    }),
  );
};

/** Throws if the pending version is unusable. Accepts also the test value that Secrets Manager puts there. */
export const testSecret = async ({ secretArn, token }: Rotation): Promise<void> => {
  const { SecretString: value } = await secretsManager.send(
    new GetSecretValueCommand({ SecretId: secretArn, VersionId: token, VersionStage: pending }),
  );
  parseTokenList(value);
};

const removeLabel = async ({ secretArn, token }: Rotation, label: string): Promise<void> => {
  await secretsManager.send(
    new UpdateSecretVersionStageCommand({
      SecretId: secretArn,
      VersionStage: label,
      RemoveFromVersionId: token,
    }),
  );
};

const removeLabels = async (rotation: Rotation, stages: readonly string[]): Promise<void> => {
  const ours = stages.filter((stage) => stage === pending || stage.startsWith(derivedFrom));
  // A repeated step needs the label of the source version, so that label is removed last.
  for (const label of ours.sort()) await removeLabel(rotation, label);
};

const findCurrentVersion = async ({ secretArn }: Rotation): Promise<string | undefined> => {
  const { VersionIdsToStages = {} } = await secretsManager.send(
    new DescribeSecretCommand({ SecretId: secretArn }),
  );
  return Object.entries(VersionIdsToStages).find(([, stages]) => stages.includes(current))?.[0];
};

/**
 * Makes the pending version current, if its source version is still current. Throws if operators replaced the list
 * concurrently: otherwise a revoked token would be valid again. They must then start a new rotation.
 */
export const finishSecret = async (rotation: Rotation): Promise<void> => {
  const { secretArn, token } = rotation;
  const stages = await readStages(rotation);
  if (!stages.includes(current)) {
    const label = stages.find((stage) => stage.startsWith(derivedFrom));
    if (!label) throw new Error('There is no pending token list to finish with');
    const source = label.slice(derivedFrom.length);
    if ((await findCurrentVersion(rotation)) !== source) {
      await removeLabels(rotation, stages);
      throw new Error('The token list was changed during its rotation; start the rotation again');
    }
    // Secrets Manager refuses this if the label has moved from the source since the check above.
    await secretsManager.send(
      new UpdateSecretVersionStageCommand({
        SecretId: secretArn,
        VersionStage: current,
        MoveToVersionId: token,
        RemoveFromVersionId: source,
      }),
    );
  }
  await removeLabels(rotation, stages);
};
