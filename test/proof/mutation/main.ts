/** `npm run proof:mutation`: makes small wrong changes in the code, and reports the changes that no test detects. */
import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

const folder = fileURLToPath(new URL('.', import.meta.url));
const stryker = `${folder}node_modules/@stryker-mutator/core/bin/stryker.js`;

/** Runs a command and shows its output; exits with its code if it fails. */
const run = (command: string, args: readonly string[], cwd?: string): void => {
  const { status } = spawnSync(command, args, { stdio: 'inherit', ...(cwd && { cwd }) });
  if (status !== 0) process.exit(status ?? 1);
};

if (!existsSync(stryker)) {
  process.stderr.write('Installing Stryker for this command alone (58 MB)...\n');
  run('npm', ['ci', '--workspaces=false', '--legacy-peer-deps'], folder);
}
// The arguments go to Stryker: npm run proof:mutation -- --mutate shared/platform/auth/rotation.ts
run(process.execPath, [stryker, 'run', `${folder}stryker.config.mjs`, ...process.argv.slice(2)]);
