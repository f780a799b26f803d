/** Staging labels of the versions of a secret: https://docs.aws.amazon.com/secretsmanager/latest/userguide/whats-in-a-secret.html */
import { ApiError } from '../api-call.ts';
import type { SecretVersion, StoredSecret } from './secret-store.ts';

export const current = 'AWSCURRENT';
const previous = 'AWSPREVIOUS';

/** Most versions without a staging label. AWS stores about as many. */
const unlabelledVersionsKept = 100;

type Labelled = readonly [versionId: string, version: SecretVersion];

export const findVersion = (secret: StoredSecret, stage: string): Labelled | undefined =>
  Object.entries(secret.versions).find(([, { stages }]) => stages.includes(stage));

const detach = (secret: StoredSecret, stage: string): void => {
  for (const version of Object.values(secret.versions)) {
    version.stages = version.stages.filter((candidate) => candidate !== stage);
  }
};

const attach = (secret: StoredSecret, stage: string, versionId: string): void => {
  detach(secret, stage);
  secret.versions[versionId]?.stages.push(stage);
};

/** Moves a label to a version. The version that loses AWSCURRENT becomes AWSPREVIOUS. */
export const moveStage = (secret: StoredSecret, stage: string, versionId: string): void => {
  const holder = findVersion(secret, stage);
  if (holder?.[0] === versionId) return;
  attach(secret, stage, versionId);
  if (stage === current && holder) attach(secret, previous, holder[0]);
};

/** @throws {ApiError} InvalidParameterException for AWSCURRENT, which can only move */
export const removeStage = (secret: StoredSecret, stage: string): void => {
  if (stage === current) {
    throw new ApiError(
      'InvalidParameterException',
      'You can only move staging label AWSCURRENT to a different secret version. It can’t be completely removed.',
    );
  }
  detach(secret, stage);
};

export const dropOldVersions = (secret: StoredSecret): void => {
  const unlabelled = Object.entries(secret.versions).filter(([, { stages }]) => !stages.length);
  for (const [versionId] of unlabelled.slice(0, -unlabelledVersionsKept)) {
    delete secret.versions[versionId];
  }
};
