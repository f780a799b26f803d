import { spawnSync } from 'node:child_process';

/** What the tests start, beside what `npm ci` installs. */
const needed = ['bash', 'curl', 'ps'];

/** The programs of these that are not on the PATH. */
export const findMissing = (programs: readonly string[]): string[] =>
  programs.filter((program) => spawnSync(program, ['--version']).error !== undefined);

/** @throws {Error} that names the programs which the tests need and the machine does not have */
export const checkPrograms = (): void => {
  const missing = findMissing(needed);
  if (missing.length === 0) return;
  throw new Error(
    `The tests need ${missing.join(' and ')}, not found on the PATH: install that, and run them again.`,
  );
};
