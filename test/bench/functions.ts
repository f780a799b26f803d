/** `npm run bench:functions`: the cost to load, start and run a function, compared with handlers on frameworks. */
import { spawnSync } from 'node:child_process';
import { existsSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { formatReport, legend } from './functions/report.ts';

const help = `Measures functions beside handlers on frameworks. Usage: npm run bench:functions -- [options]

  --rounds N   how often everything is measured (default 30, which takes two minutes)
  --json FILE  write the figures as JSON
  --help       show this

The first run installs the frameworks in test/bench/peers.
`;

const defaultRounds = 30;

const exitCodes = { failure: 1, usage: 2 } as const;

const fail = (error: unknown, exitCode: number): never => {
  const isUsage = exitCode === exitCodes.usage;
  const detail = error instanceof Error ? (isUsage ? error.message : error.stack) : error;
  process.stderr.write(`${detail}\n`);
  process.exit(exitCode);
};

const parseRounds = (text: string): number => {
  if (/^[1-9][0-9]{0,3}$/.test(text)) return Number(text);
  throw new Error(`--rounds must be a whole number from 1 to 9999, and is ${text}`);
};

const readOptions = () => {
  const { rounds, ...rest } = parseArgs({
    options: {
      rounds: { type: 'string', default: String(defaultRounds) },
      json: { type: 'string' },
      help: { type: 'boolean', default: false },
    },
  }).values;
  return { rounds: parseRounds(rounds), ...rest };
};

const tryToReadOptions = () => {
  try {
    return readOptions();
  } catch (error) {
    return fail(error, exitCodes.usage);
  }
};

const peers = join(import.meta.dirname, 'peers');

/** Only this benchmark needs the peers, so `npm ci` of the project does not install them. */
const installPeers = (): void => {
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

const run = async ({ rounds, json }: ReturnType<typeof readOptions>): Promise<void> => {
  installPeers();
  const { measureFunctions } = await import('./functions/measure-functions.ts');
  const report = await measureFunctions(rounds);
  process.stdout.write(`${formatReport(report)}\n${legend}`);
  if (json !== undefined) writeFileSync(json, `${JSON.stringify(report, undefined, 2)}\n`);
};

const options = tryToReadOptions();
if (options.help) process.stdout.write(help);
else await run(options).catch((error: unknown) => fail(error, exitCodes.failure));
