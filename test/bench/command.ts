/** What the commands of benchmarks share. */
import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { join } from 'node:path';

export const exitCodes = { failure: 1, usage: 2 } as const;

/** Ends the process with the message of a wrong option, or with the stack of another error. */
export const fail = (error: unknown, exitCode: number): never => {
  const isUsage = exitCode === exitCodes.usage;
  const detail = error instanceof Error ? (isUsage ? error.message : error.stack) : error;
  process.stderr.write(`${detail}\n`);
  process.exit(exitCode);
};

/** Returns the options of a command. A wrong one ends the process. */
export const tryToReadOptions = <Options>(readOptions: () => Options): Options => {
  try {
    return readOptions();
  } catch (error) {
    return fail(error, exitCodes.usage);
  }
};

/** Installs the peers of a benchmark in their folder. Only it needs them, so `npm ci` of the project does not install them. */
export const installPeers = (peers: string): void => {
  if (existsSync(join(peers, 'node_modules/.package-lock.json'))) return;
  process.stderr.write('installing the peers, this once\n');
  // The output of npm does not belong to the table.
  const stdio = ['inherit', process.stderr.fd, 'inherit'] as const;
  const { status } = spawnSync('npm', ['ci', '--ignore-scripts'], {
    cwd: peers,
    stdio: [...stdio],
  });
  if (status !== 0) throw new Error(`npm ci in ${peers} failed: run it there to see why`);
};
