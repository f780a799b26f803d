/** Data folder of a stack. Only one running stack may use a folder at a time. */
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

/** Thrown if the folder cannot be used. The message is one line for the user. */
export class DataFolderError extends StartError {
  override name = 'DataFolderError';
}

export interface DataFolder {
  readonly path: string;
  readonly databaseFile: string;
  /** Access key of the folder, which selects its own database in DynamoDB Local. */
  readonly accessKeyId: string;
  readonly secretsFile: string;
  /** File with the private keys of signing keys. */
  readonly signingKeysFile: string;
  /** File with the messages of all queues. */
  readonly queuesFile: string;
  /** File with the properties of custom resources. */
  readonly resourcesFile: string;
  /** File with the stream positions of event source mappings. */
  readonly positionsFile: string;
  /** Records that the start is complete. The next start then reuses the folder's data. */
  markStarted(): void;
  /** Releases the folder for other stacks. */
  release(): void;
}

/**
 * Creates a folder and its parents, one at a time. Node's recursive mkdir never returns if the system refuses a folder,
 * as in /proc.
 */
const makeFolder = (path: string): void => {
  if (existsSync(path)) return;
  makeFolder(dirname(path));
  mkdirSync(path);
};

const createFolder = (path: string): void => {
  try {
    makeFolder(path);
    // Listing fails if the path is not a folder.
    readdirSync(path);
    accessSync(path, constants.R_OK | constants.W_OK | constants.X_OK);
  } catch (error) {
    const reason = error instanceof Error && 'code' in error ? error.code : error;
    throw new DataFolderError(`cannot write to the data folder ${path}: ${reason}`);
  }
};

/** SQLite's error code for a file that another connection has locked. */
const busy = 5;

/**
 * Locks the folder with SQLite. This is a file lock of the operating system, which ends with the process in every case.
 */
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

/**
 * Syncs a folder to disk. Otherwise a power failure could restore the marker, and the next start would delete later
 * data.
 */
const syncFolder = (path: string): void => {
  const descriptor = openSync(path, 'r');
  fsyncSync(descriptor);
  closeSync(descriptor);
};

/** Format of the folder's files. A change of a file that earlier code cannot read has the next number. */
const folderFormat = '1';

/** @throws {DataFolderError} if other code wrote the folder's files in another format */
const checkFolderFormat = (path: string, formatFile: string): void => {
  const format = existsSync(formatFile) ? readFileSync(formatFile, 'utf8').trim() : 'none';
  if (format === folderFormat) return;
  throw new DataFolderError(
    `the data folder ${path} has the format ${format}, and this release knows format ${folderFormat}: start the release that wrote it, or choose another folder`,
  );
};

interface FolderFiles {
  readonly path: string;
  readonly marker: string;
  readonly formatFile: string;
  /** Files of an earlier start. */
  readonly files: readonly string[];
}

/**
 * Marks the first start as incomplete, and deletes the data of an earlier incomplete start. Such data is partial, and a
 * later start would mistake it for complete data.
 * @throws {DataFolderError} for complete data in another format
 */
const beginStart = ({ path, marker, formatFile, files }: FolderFiles): void => {
  const wasCutShort = existsSync(marker);
  if (!wasCutShort && files.some((file) => existsSync(file))) {
    checkFolderFormat(path, formatFile);
    return;
  }
  for (const file of files) rmSync(file, { force: true });
  writeFileSync(marker, '');
  writeFileSync(formatFile, `${folderFormat}\n`);
};

/** Returns the access key in the file. Creates the file with a random key if it is missing. */
const keepAccessKeyId = (file: string): string => {
  if (!existsSync(file)) writeFileSync(file, makeAccessKeyId());
  return readFileSync(file, 'utf8');
};

/**
 * Opens the folder for this process alone. Creates the folder if it is missing.
 * @throws {DataFolderError} if the folder is not writable, or if another stack uses it
 */
export const openDataFolder = (folder: string): DataFolder => {
  const path = resolve(folder);
  createFolder(path);
  const held = lock(path);
  const marker = join(path, 'first-start');
  const databaseFile = join(path, 'dynamodb.sqlite');
  const secretsFile = join(path, 'secrets.json');
  const signingKeysFile = join(path, 'signing-keys.json');
  const positionsFile = join(path, 'stream-positions.json');
  const resourcesFile = join(path, 'custom-resources.json');
  const queuesFile = join(path, 'queues.sqlite');
  const databases = [databaseFile, queuesFile].flatMap((file) => [
    file,
    `${file}-wal`,
    `${file}-shm`,
  ]);
  const keyFile = join(path, 'dynamodb-key');
  const files = [...databases, secretsFile, signingKeysFile, resourcesFile, positionsFile, keyFile];
  try {
    beginStart({ path, marker, formatFile: join(path, 'format'), files });
  } catch (error) {
    held.close();
    throw error;
  }
  return {
    path,
    databaseFile,
    accessKeyId: keepAccessKeyId(keyFile),
    secretsFile,
    signingKeysFile,
    resourcesFile,
    queuesFile,
    positionsFile,
    markStarted: () => {
      rmSync(marker, { force: true });
      syncFolder(path);
    },
    release: () => held.close(),
  };
};
