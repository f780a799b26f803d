import { existsSync, mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** Memory as a folder, where the system has it: what a test keeps there need not survive a power cut. */
const memory = '/dev/shm';

/** Makes a new folder for files that live no longer than the test. */
export const makeFastFolder = (prefix: string): string =>
  mkdtempSync(join(existsSync(memory) ? memory : tmpdir(), prefix));
