import { spawnSync } from 'node:child_process';

/** The programs that the tests start, besides those that `npm ci` installs. */
const needed = ['bash', 'curl', 'ps'];

/** Returns the programs that are not on the PATH. */
export const findMissing = (programs: readonly string[]): string[] =>
  programs.filter((program) => spawnSync(program, ['--version']).error !== undefined);

/** @throws {Error} with the missing programs */
export const checkPrograms = (): void => {
  const missing = findMissing(needed);
  if (missing.length === 0) return;
  throw new Error(
    `The tests need ${missing.join(' and ')}, not found on the PATH: install that, and run them again.`,
  );
};
