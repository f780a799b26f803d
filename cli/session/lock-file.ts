import { readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { hostname } from 'node:os';
import { setTimeout as delay } from 'node:timers/promises';
import { isObject, parseJson } from '../../shared/util/json.ts';

/** A lock of this age belongs to a command that ended without a release. Longer than the work of any command with a lock. */
const longestHoldMs = 60_000;
/** Time limit of the wait for other commands, one after the other. */
const longestWaitMs = 120_000;
const intervalMs = 50;

/** Returns whether the process that wrote a lock has ended. Processes of other machines count as running. */
const hasEnded = (text: string): boolean => {
  const owner = parseJson(text);
  if (!isObject(owner) || owner['host'] !== hostname()) return false;
  try {
    process.kill(Number(owner['pid']), 0);
    return false;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'ESRCH';
  }
};

/** Removes a lock whose owner ended without a release. */
const removeStale = (lock: string): void => {
  try {
    const isOld = Date.now() - statSync(lock).mtimeMs > longestHoldMs;
    if (isOld || hasEnded(readFileSync(lock, 'utf8'))) rmSync(lock, { force: true });
  } catch (error) {
    // Its owner has released it just now.
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error;
  }
};

const tryToCreate = (lock: string): boolean => {
  try {
    const owner = JSON.stringify({ pid: process.pid, host: hostname() });
    writeFileSync(lock, owner, { mode: 0o600, flag: 'wx' });
    return true;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
    return false;
  }
};

/**
 * Creates a lock file, after the commands that have it at the moment. Returns the function that removes it.
 * @throws {Error} if the folder is not writable, or other commands do not release the lock
 */
export const acquireLock = async (lock: string): Promise<() => void> => {
  const end = performance.now() + longestWaitMs;
  while (!tryToCreate(lock)) {
    if (performance.now() > end) throw new Error(`another command has the lock ${lock}`);
    await delay(intervalMs);
    removeStale(lock);
  }
  return () => rmSync(lock, { force: true });
};
