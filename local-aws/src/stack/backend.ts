/** Starts the services of the functions: an engine with tables, secrets, signing keys, and queues. */
import { DynamoDBServiceException } from '@aws-sdk/client-dynamodb';
import { type ChangeSignal, createChangeSignal } from '../change-signal.ts';
import { type EngineAddress, makeAccessKeyId } from '../engine/address.ts';
import { prepareTables, TableMismatchError } from '../engine/align-tables.ts';
import { startEngine } from '../engine/dynamodb-engine.ts';
import { indexStreams } from '../engine/stream-index.ts';
import { createKeyManagement, type KeyManagement } from '../kms/key-management.ts';
import { openKeyStore } from '../kms/key-store.ts';
import { openSecretStore } from '../secrets/secret-store.ts';
import {
  createSecretValues,
  type GivenValues,
  prepareSecrets,
  type SecretValues,
} from '../secrets/secret-values.ts';
import { createSecretsManager, type SecretsManager } from '../secrets/secrets-manager.ts';
import { createQueues, type Queues } from '../sqs/message-queues.ts';
import { StartError } from '../start-error.ts';
import type { StackModel } from '../template/model.ts';
import { type DataFolder, DataFolderError } from './data-folder.ts';

/** Close functions of all started parts, called in reverse order. */
export type Closers = (() => void | Promise<void>)[];

export const closeAll = async (closers: Closers): Promise<void> => {
  for (let close = closers.pop(); close; close = closers.pop()) await close();
};

export interface Backend {
  readonly dynamodb: EngineAddress;
  /** True if the tables are new. */
  readonly isNew: boolean;
  readonly secretsManager: SecretsManager;
  readonly secrets: SecretValues;
  readonly keyManagement: KeyManagement;
  readonly queues: Queues;
  /** Signals each write to the readers of streams. */
  readonly writes: ChangeSignal;
  readonly closers: Closers;
}

export interface BackendOptions extends GivenValues {
  /** Data folder. Absent: nothing is stored on disk. */
  readonly folder: DataFolder | undefined;
  readonly closers: Closers;
  readonly dynamodbEndpoint?: string;
  readonly onFailure?: (error: Error) => void;
  /** Called with a line for each message in a queue without a consumer. */
  readonly onMessage: (queueId: string, line: string) => void;
}

const startOwnEngine = async (options: BackendOptions): Promise<string> => {
  const { folder, closers, onFailure = () => undefined } = options;
  const file = folder && { file: folder.databaseFile };
  const engine = await startEngine({ ...file, onFailure });
  closers.push(engine.stop);
  return engine.endpoint;
};

/**
 * Creates the missing tables. Resolves to true if all tables are new.
 * @throws {StartError} if the engine has tables of another template version, or if it does not answer
 */
const fillEngine = async (
  model: StackModel,
  engine: EngineAddress,
  { folder, dynamodbEndpoint }: BackendOptions,
): Promise<boolean> => {
  const shared = dynamodbEndpoint !== undefined;
  try {
    return await prepareTables(Object.values(model.tables), { engine, shared });
  } catch (error) {
    if (error instanceof DynamoDBServiceException) {
      throw new StartError(`the tables cannot be made: ${error.message}`, { cause: error });
    }
    if (!(error instanceof TableMismatchError)) {
      throw new StartError(`no DynamoDB at ${engine.endpoint}: ${error}`, { cause: error });
    }
    throw new DataFolderError(
      `${folder?.path ?? engine.endpoint} holds data of another version (${error.message}): delete it to start anew, or choose another folder`,
    );
  }
};

/** Starts the engine, and aligns tables and secrets with the template. */
export const startBackend = async (
  model: StackModel,
  options: BackendOptions,
): Promise<Backend> => {
  const { closers, dynamodbEndpoint, folder } = options;
  const endpoint = dynamodbEndpoint ?? (await startOwnEngine(options));
  // Without a data folder, the random key selects a new database in DynamoDB Local.
  const dynamodb = { endpoint, accessKeyId: folder?.accessKeyId ?? makeAccessKeyId() };
  const isNew = await fillEngine(model, dynamodb, options);
  if (folder && dynamodbEndpoint === undefined) indexStreams(folder.databaseFile);

  const store = await openSecretStore(folder?.secretsFile);
  const secretsManager = createSecretsManager(store);
  const secrets = createSecretValues(model.secrets, secretsManager);
  await prepareSecrets(Object.values(model.secrets), { store, values: secrets }, options);
  const keys = await openKeyStore(folder?.signingKeysFile, Object.values(model.signingKeys));
  const keyManagement = createKeyManagement(keys);
  const queues = createQueues(model, { file: folder?.queuesFile, onMessage: options.onMessage });
  closers.push(queues.close);
  const writes = createChangeSignal();
  return { dynamodb, isNew, secretsManager, secrets, keyManagement, queues, writes, closers };
};
