/** `npm run bench:functions`: the cost to load, start and run a function, compared with handlers on frameworks. */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { exitCodes, fail, installPeers, tryToReadOptions } from './command.ts';
import { formatReport, legend } from './functions/report.ts';

const help = `Measures functions beside handlers on frameworks. Usage: npm run bench:functions -- [options]

  --rounds N   how often everything is measured (default 30, which takes two minutes)
  --json FILE  write the figures as JSON
  --help       show this

The first run installs the frameworks in test/bench/peers.
`;

const defaultRounds = 30;

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

const peers = join(import.meta.dirname, 'peers');

const run = async ({ rounds, json }: ReturnType<typeof readOptions>): Promise<void> => {
  installPeers(peers);
  const { measureFunctions } = await import('./functions/measure-functions.ts');
  const report = await measureFunctions(rounds);
  process.stdout.write(`${formatReport(report)}\n${legend}`);
  if (json !== undefined) writeFileSync(json, `${JSON.stringify(report, undefined, 2)}\n`);
};

const options = tryToReadOptions(readOptions);
if (options.help) process.stdout.write(help);
else await run(options).catch((error: unknown) => fail(error, exitCodes.failure));
