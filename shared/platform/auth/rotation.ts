import {
  DescribeSecretCommand,
  GetSecretValueCommand,
  PutSecretValueCommand,
  ResourceNotFoundException,
  UpdateSecretVersionStageCommand,
} from '@aws-sdk/client-secrets-manager';
import { createToken } from '../../domain/tokens/new-token.ts';
import { parseTokenList } from '../../domain/tokens/token-list.ts';
import { rotateList } from './rotated-list.ts';
import { secretsManager } from './token-secret.ts';

/** One rotation of one secret. The version that it makes has the token as its id. */
export interface Rotation {
  readonly secretArn: string;
  readonly token: string;
  /** How many earlier tokens stay valid for the overlap. */
  readonly kept: number;
}

const current = 'AWSCURRENT';
const pending = 'AWSPENDING';
/** A label that tells from which version a pending one was made. */
const derivedFrom = 'DERIVED_FROM_';

/** The labels of the rotation's version; empty if there is none yet. */
const readStages = async ({ secretArn, token }: Rotation): Promise<readonly string[]> => {
  const { VersionIdsToStages } = await secretsManager.send(
    new DescribeSecretCommand({ SecretId: secretArn }),
  );
  return VersionIdsToStages?.[token] ?? [];
};

/** Whether the rotation's version has its value. Secrets Manager labels the version before there is one. */
const hasValue = async ({ secretArn, token }: Rotation): Promise<boolean> => {
  try {
    await secretsManager.send(new GetSecretValueCommand({ SecretId: secretArn, VersionId: token }));
    return true;
  } catch (error) {
    if (error instanceof ResourceNotFoundException) return false;
    throw error;
  }
};

/** Makes the pending version from the current one, unless that was done. */
export const createSecret = async (rotation: Rotation): Promise<void> => {
  const { secretArn, token, kept } = rotation;
  if (await hasValue(rotation)) return;
  const { SecretString: value, VersionId: source } = await secretsManager.send(
    new GetSecretValueCommand({ SecretId: secretArn, VersionStage: current }),
  );
  if (value === undefined) throw new Error('The token secret holds no text');
  // A version that was made cannot be changed by a repeated step: what is wrong with a list must show before.
  parseTokenList(value);
  await secretsManager.send(
    new PutSecretValueCommand({
      SecretId: secretArn,
      ClientRequestToken: token,
      SecretString: rotateList(value, createToken(), kept),
      VersionStages: [pending, `${derivedFrom}${source}`],
    }),
  );
};

/** Checks that the pending version can be used. What Secrets Manager itself puts there to try this out is fine too. */
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
  // The label that tells the source goes last: without it a repeated step could not go on.
  for (const label of ours.sort()) await removeLabel(rotation, label);
};

const findCurrentVersion = async ({ secretArn }: Rotation): Promise<string | undefined> => {
  const { VersionIdsToStages = {} } = await secretsManager.send(
    new DescribeSecretCommand({ SecretId: secretArn }),
  );
  return Object.entries(VersionIdsToStages).find(([, stages]) => stages.includes(current))?.[0];
};

/**
 * Makes the pending version the current one, if the list it was made from still is. A list that ops replaced
 * meanwhile stays, or a token that they revoked would be valid again; the rotation then has to be started anew.
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
    // Secrets Manager refuses this when the label has left the source since we looked.
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
