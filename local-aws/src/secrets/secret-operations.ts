/** Secrets Manager operations that read and rotate a secret: https://docs.aws.amazon.com/secretsmanager/latest/apireference/ */
import { randomUUID } from 'node:crypto';
import { isDeepStrictEqual } from 'node:util';
import * as z from 'zod';
import { ApiError } from '../api-call.ts';
import type { JsonObject } from '../json.ts';
import { describeIssue } from '../schema.ts';
import type { SecretVersion, StoredSecret } from './secret-store.ts';
import { current, findVersion, moveStage, removeStage } from './secret-versions.ts';

const versionId = z.string().min(32).max(64);
const stage = z.string().min(1).max(256);
const secretId = z.string().min(1).max(2048);

const getSchema = z.object({
  SecretId: secretId,
  VersionId: versionId.optional(),
  VersionStage: stage.optional(),
});

const putSchema = z.object({
  SecretId: secretId,
  ClientRequestToken: versionId.optional(),
  SecretString: z.string().min(1).max(65536).optional(),
  SecretBinary: z.string().min(1).optional(),
  VersionStages: z.array(stage).min(1).max(20).optional(),
});

const updateStageSchema = z.object({
  SecretId: secretId,
  VersionStage: stage,
  RemoveFromVersionId: versionId.optional(),
  MoveToVersionId: versionId.optional(),
});

/** Converts to epoch seconds, the format of AWS's dates in JSON. */
const toSeconds = (milliseconds: number): number => milliseconds / 1000;

const parse = <T>(schema: z.ZodType<T>, body: JsonObject): T => {
  const parsed = schema.safeParse(body);
  if (parsed.success) return parsed.data;
  throw new ApiError('InvalidParameterException', describeIssue(parsed.error));
};

const makeMissingVersionError = (what: string): ApiError =>
  new ApiError(
    'ResourceNotFoundException',
    `Secrets Manager can't find the specified secret value for ${what}`,
  );

const chooseVersion = (
  secret: StoredSecret,
  { VersionId, VersionStage }: z.output<typeof getSchema>,
): readonly [string, SecretVersion] => {
  if (VersionId !== undefined) {
    const version = secret.versions[VersionId];
    if (version === undefined) throw makeMissingVersionError(`VersionId: ${VersionId}`);
    if (VersionStage !== undefined && !version.stages.includes(VersionStage)) {
      throw new ApiError(
        'InvalidRequestException',
        'You provided a VersionStage that is not associated to the provided VersionId.',
      );
    }
    return [VersionId, version];
  }
  const found = findVersion(secret, VersionStage ?? current);
  if (found === undefined) {
    throw makeMissingVersionError(`staging label: ${VersionStage ?? current}`);
  }
  return found;
};

const getSecretValue = (secret: StoredSecret, body: JsonObject): JsonObject => {
  const [id, version] = chooseVersion(secret, parse(getSchema, body));
  return {
    ARN: secret.arn,
    Name: secret.name,
    VersionId: id,
    ...version.value,
    VersionStages: version.stages,
    CreatedDate: toSeconds(version.createdAt),
  };
};

const describeSecret = (secret: StoredSecret): JsonObject => {
  const stages = Object.entries(secret.versions).map(([id, version]) => [id, version.stages]);
  return {
    ARN: secret.arn,
    Name: secret.name,
    CreatedDate: toSeconds(secret.createdAt),
    LastChangedDate: toSeconds(secret.changedAt),
    VersionIdsToStages: Object.fromEntries(stages.filter(([, labels]) => labels?.length)),
  };
};

const readGivenValue = ({ SecretString, SecretBinary }: z.output<typeof putSchema>) => {
  if (SecretString !== undefined && SecretBinary === undefined) return { SecretString };
  if (SecretBinary !== undefined && SecretString === undefined) return { SecretBinary };
  throw new ApiError(
    'InvalidParameterException',
    'You must provide either SecretString or SecretBinary.',
  );
};

/** True for a retry: the same ClientRequestToken with the same value, which changes nothing. */
const isRetry = (secret: StoredSecret, id: string, value: SecretVersion['value']): boolean => {
  const version = secret.versions[id];
  if (version === undefined) return false;
  if (isDeepStrictEqual(version.value, value)) return true;
  throw new ApiError(
    'ResourceExistsException',
    `You can't use ClientRequestToken ${id} because that value is already in use for a version of secret ${secret.arn}.`,
  );
};

const putSecretValue = (secret: StoredSecret, body: JsonObject): JsonObject => {
  const request = parse(putSchema, body);
  const id = request.ClientRequestToken ?? randomUUID();
  const value = readGivenValue(request);
  if (!isRetry(secret, id, value)) {
    const isFirst = Object.keys(secret.versions).length === 0;
    secret.versions[id] = { value, stages: [], createdAt: Date.now() };
    const stages = new Set(request.VersionStages ?? [current]);
    if (isFirst) stages.add(current);
    for (const label of stages) moveStage(secret, label, id);
  }
  return {
    ARN: secret.arn,
    Name: secret.name,
    VersionId: id,
    VersionStages: secret.versions[id]?.stages ?? [],
  };
};

const updateSecretVersionStage = (secret: StoredSecret, body: JsonObject): JsonObject => {
  const request = parse(updateStageSchema, body);
  const { VersionStage, RemoveFromVersionId, MoveToVersionId } = request;
  const holder = findVersion(secret, VersionStage)?.[0];
  if (MoveToVersionId !== undefined && secret.versions[MoveToVersionId] === undefined) {
    throw makeMissingVersionError(`VersionId: ${MoveToVersionId}`);
  }
  if (holder !== RemoveFromVersionId && holder !== MoveToVersionId) {
    throw new ApiError(
      'InvalidParameterException',
      `The parameter RemoveFromVersionId must name the version that staging label ${VersionStage} is attached to: ${holder ?? 'none'}.`,
    );
  }
  if (MoveToVersionId !== undefined) moveStage(secret, VersionStage, MoveToVersionId);
  else if (holder !== undefined) removeStage(secret, VersionStage);
  return { ARN: secret.arn, Name: secret.name };
};

/** Answers one call on one secret. A write changes the secret. @throws {ApiError} with AWS's error */
export type SecretOperation = (secret: StoredSecret, body: JsonObject) => JsonObject;

export const reads: Readonly<Record<string, SecretOperation>> = {
  DescribeSecret: describeSecret,
  GetSecretValue: getSecretValue,
};

export const writes: Readonly<Record<string, SecretOperation>> = {
  PutSecretValue: putSecretValue,
  UpdateSecretVersionStage: updateSecretVersionStage,
};
