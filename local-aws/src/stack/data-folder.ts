/** The folder that keeps a stack's data, used by one running stack at a time. */
import {
  accessSync,
  closeSync,
  constants,
  existsSync,
  fsyncSync,
  mkdirSync,
  openSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { makeAccessKeyId } from '../engine/address.ts';
import { StartError } from '../start-error.ts';

/** The folder cannot be used. The message is one line for whoever chose it. */
export class DataFolderError extends StartError {
  override name = 'DataFolderError';
}

export interface DataFolder {
  readonly path: string;
  readonly databaseFile: string;
  /** By which DynamoDB Local knows the folder's own database. */
  readonly accessKeyId: string;
  readonly secretsFile: string;
  /** The messages that queues hold. */
  readonly queuesFile: string;
  /** Up to where event sources have read their streams. */
  readonly positionsFile: string;
  /** A stack has started in it to the end: from now on what it holds is kept. */
  markStarted(): void;
  /** Lets another stack use the folder. */
  release(): void;
}

/** One folder at a time: Node's recursive mkdir never returns where the system refuses a folder, as in /proc. */
const makeFolder = (path: string): void => {
  if (existsSync(path)) return;
  makeFolder(dirname(path));
  mkdirSync(path);
};

const createFolder = (path: string): void => {
  try {
    makeFolder(path);
    // A folder can only be listed when it is one.
    readdirSync(path);
    accessSync(path, constants.R_OK | constants.W_OK | constants.X_OK);
  } catch (error) {
    const reason = error instanceof Error && 'code' in error ? error.code : error;
    throw new DataFolderError(`cannot write to the data folder ${path}: ${reason}`);
  }
};

/** SQLite's code for a file that another connection has locked. */
const busy = 5;

/** An SQLite lock is the system's own file lock: it ends with the process that holds it, however that ends. */
const lock = (path: string): DatabaseSync => {
  try {
    const database = new DatabaseSync(join(path, 'lock'));
    database.exec('BEGIN EXCLUSIVE');
    return database;
  } catch (error) {
    const isBusy = error instanceof Error && 'errcode' in error && error.errcode === busy;
    throw new DataFolderError(
      isBusy
        ? `the data folder ${path} is in use by another running instance`
        : `cannot lock the data folder ${path}: ${error}`,
    );
  }
};

/** Without it a power cut could bring the marker back, and with it the deletion of what is written from now on. */
const syncFolder = (path: string): void => {
  const descriptor = openSync(path, 'r');
  fsyncSync(descriptor);
  closeSync(descriptor);
};

/**
 * Notes by a marker that a first start is under way, until it is completed. What one left behind that was cut short is
 * deleted: no one relies on it, and half of the first data would be taken for all of it.
 */
const beginStart = (marker: string, files: readonly string[]): void => {
  const wasCutShort = existsSync(marker);
  if (!wasCutShort && files.some((file) => existsSync(file))) return;
  for (const file of files) rmSync(file, { force: true });
  writeFileSync(marker, '');
};

/** What the file holds; made up where there is none. */
const keepAccessKeyId = (file: string): string => {
  if (!existsSync(file)) writeFileSync(file, makeAccessKeyId());
  return readFileSync(file, 'utf8');
};

/**
 * Opens the folder, made if need be, for this process alone.
 * @throws {DataFolderError} when it cannot be written to, or when another stack uses it
 */
export const openDataFolder = (folder: string): DataFolder => {
  const path = resolve(folder);
  createFolder(path);
  const held = lock(path);
  const marker = join(path, 'first-start');
  const databaseFile = join(path, 'dynamodb.sqlite');
  const secretsFile = join(path, 'secrets.json');
  const positionsFile = join(path, 'stream-positions.json');
  const queuesFile = join(path, 'queues.sqlite');
  const databases = [databaseFile, queuesFile].flatMap((file) => [
    file,
    `${file}-wal`,
    `${file}-shm`,
  ]);
  const keyFile = join(path, 'dynamodb-key');
  const files = [...databases, secretsFile, positionsFile, keyFile];
  beginStart(marker, files);
  return {
    path,
    databaseFile,
    accessKeyId: keepAccessKeyId(keyFile),
    secretsFile,
    queuesFile,
    positionsFile,
    markStarted: () => {
      rmSync(marker, { force: true });
      syncFolder(path);
    },
    release: () => held.close(),
  };
};
