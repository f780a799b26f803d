/** Starts what functions call: the tables in an engine, the secrets, and the queues. */
import { DynamoDBServiceException } from '@aws-sdk/client-dynamodb';
import { type ChangeSignal, createChangeSignal } from '../change-signal.ts';
import { type EngineAddress, makeAccessKeyId } from '../engine/address.ts';
import { startEngine } from '../engine/dynamodb-engine.ts';
import { indexStreams } from '../engine/stream-index.ts';
import { prepareTables, TableMismatchError } from '../engine/tables.ts';
import { openSecretStore } from '../secrets/secret-store.ts';
import {
  createSecretValues,
  type GivenValues,
  prepareSecrets,
  type SecretValues,
} from '../secrets/secret-values.ts';
import { createSecretsManager, type SecretsManager } from '../secrets/secrets-manager.ts';
import { createQueues, type Queues } from '../sqs/queues.ts';
import { StartError } from '../start-error.ts';
import type { StackModel } from '../template/model.ts';
import { type DataFolder, DataFolderError } from './data-folder.ts';

/** What was started, to be ended in reverse order. */
export type Closers = (() => void | Promise<void>)[];

export const closeAll = async (closers: Closers): Promise<void> => {
  for (let close = closers.pop(); close; close = closers.pop()) await close();
};

export interface Backend {
  readonly dynamodb: EngineAddress;
  /** Whether its tables were made just now. */
  readonly isNew: boolean;
  readonly secretsManager: SecretsManager;
  readonly secrets: SecretValues;
  readonly queues: Queues;
  /** Tells who reads streams of each write. */
  readonly writes: ChangeSignal;
  readonly closers: Closers;
}

export interface BackendOptions extends GivenValues {
  /** Absent: nothing is kept. */
  readonly folder: DataFolder | undefined;
  readonly closers: Closers;
  readonly dynamodbEndpoint?: string;
  readonly onFailure?: (error: Error) => void;
  /** Gets a line for each message that nothing here consumes. */
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
 * Resolves with whether the tables are new.
 * @throws {StartError} when the engine holds tables of another version of the template, or does not answer
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

/** Starts the engine, and brings tables and secrets in line with the template. */
export const startBackend = async (
  model: StackModel,
  options: BackendOptions,
): Promise<Backend> => {
  const { closers, dynamodbEndpoint, folder } = options;
  const endpoint = dynamodbEndpoint ?? (await startOwnEngine(options));
  // What shall not be kept is in a database that nobody finds again.
  const dynamodb = { endpoint, accessKeyId: folder?.accessKeyId ?? makeAccessKeyId() };
  const isNew = await fillEngine(model, dynamodb, options);
  if (folder && dynamodbEndpoint === undefined) indexStreams(folder.databaseFile);

  const store = await openSecretStore(folder?.secretsFile);
  const secretsManager = createSecretsManager(store);
  const secrets = createSecretValues(model.secrets, secretsManager);
  await prepareSecrets(Object.values(model.secrets), { store, values: secrets }, options);
  const queues = createQueues(model, { file: folder?.queuesFile, onMessage: options.onMessage });
  closers.push(queues.close);
  const writes = createChangeSignal();
  return { dynamodb, isNew, secretsManager, secrets, queues, writes, closers };
};
