/** `npm run bench:install`: installs through the gate, compared with installs from upstream and through Verdaccio. */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { minuteMs } from '../../shared/util/duration.ts';
import { exitCodes, fail, installPeers, tryToReadOptions } from './command.ts';
import type { Tool } from './install/measure-installs.ts';
import { type Size, sizes } from './install/projects.ts';
import { formatClient, legend } from './install/report.ts';

const help = `Measures installs through the gate beside others. Usage: npm run bench:install -- [options]

  --rounds N       how often each client installs (default 5)
  --packages SIZE  full for 1,400 packages (default), small to try the benchmark
  --tools LIST     npm, uv and maven, separated by commas (default: all that are installed)
  --delay MS       the delay of each answer of upstream, as of a network (default 0)
  --minutes N      the limit for the rounds of one client (default 20)
  --json FILE      write the figures as JSON
  --help           show this

The first run installs pnpm and Verdaccio in test/bench/install/peers, and downloads the packages. Their answers are
kept in .bench/install for the next run, which needs no internet; delete it whenever you like.
`;

const toolNames = ['npm', 'uv', 'maven'] as const satisfies readonly Tool[];

const parseNumber = (name: string, text: string, least = 1): number => {
  if (/^[0-9]{1,3}$/.test(text) && Number(text) >= least) return Number(text);
  throw new Error(`--${name} must be a whole number from ${least} to 999, and is ${text}`);
};

const parseOneOf = <T extends string>(name: string, text: string, allowed: readonly T[]): T => {
  const found = allowed.find((one) => one === text);
  if (found !== undefined) return found;
  throw new Error(`--${name} takes ${allowed.join(', ')}, and not ${text}`);
};

const readOptions = () => {
  const { rounds, packages, tools, delay, minutes, ...rest } = parseArgs({
    options: {
      rounds: { type: 'string', default: '5' },
      packages: { type: 'string', default: 'full' },
      tools: { type: 'string', default: toolNames.join(',') },
      delay: { type: 'string', default: '0' },
      minutes: { type: 'string', default: '20' },
      json: { type: 'string' },
      help: { type: 'boolean', default: false },
    },
  }).values;
  return {
    rounds: parseNumber('rounds', rounds),
    size: parseOneOf<Size>('packages', packages, sizes),
    tools: tools.split(',').map((one) => parseOneOf<Tool>('tools', one, toolNames)),
    delayMs: parseNumber('delay', delay, 0),
    clientMs: parseNumber('minutes', minutes) * minuteMs,
    ...rest,
  };
};

const peers = join(import.meta.dirname, 'install/peers');

/** Ends the process at a signal in such a way that it removes its folder and ends its programs. */
const endOnSignal = (): void => {
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) {
    process.once(signal, () => process.exit(exitCodes.failure));
  }
};

const run = async ({ json, ...options }: ReturnType<typeof readOptions>): Promise<void> => {
  installPeers(peers);
  endOnSignal();
  const { measureInstalls } = await import('./install/measure-installs.ts');
  await measureInstalls({
    ...options,
    onMeasured: (report) => {
      const [client = ''] = Object.keys(report).slice(-1);
      process.stdout.write(`${formatClient(client, report[client] ?? {})}\n\n`);
      if (json !== undefined) writeFileSync(json, `${JSON.stringify(report, undefined, 2)}\n`);
    },
  });
  process.stdout.write(legend);
};

const options = tryToReadOptions(readOptions);
if (options.help) process.stdout.write(help);
else await run(options).catch((error: unknown) => fail(error, exitCodes.failure));
