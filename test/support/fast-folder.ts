import { existsSync, mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** A folder in memory, if the system has one: test files need not survive a power cut. */
const memory = '/dev/shm';

/** Makes a new folder for the files of one test. */
export const makeFastFolder = (prefix: string): string =>
  mkdtempSync(join(existsSync(memory) ? memory : tmpdir(), prefix));
