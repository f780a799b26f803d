/** `npm run bench:capacity`: the DynamoDB cost of each request at several sizes, compared with two simpler designs. */
import { writeFileSync } from 'node:fs';
import { parseArgs } from 'node:util';
import { exitCodes, fail, tryToReadOptions } from './command.ts';
import { measureSize } from './measure-size.ts';
import { legend, type Result, tableOf } from './report.ts';

const help = `Measures what each request costs in DynamoDB. Usage: npm run bench:capacity -- [options]

  --million    measure a million versions, too: the first time that takes an hour and 50 GB of disk
  --json FILE  write the figures as JSON
  --help       show this

The loaded data is kept in .bench/ for the next run; delete it whenever you like.
`;

const sizes = [1000, 10_000, 100_000];
const million = 1_000_000;

interface Options {
  readonly million: boolean;
  readonly json?: string | undefined;
  readonly help: boolean;
}

const parseOptions = (): Options =>
  parseArgs({
    options: {
      million: { type: 'boolean', default: false },
      json: { type: 'string' },
      help: { type: 'boolean', default: false },
    },
  }).values;

const measureSizes = async (options: Options): Promise<void> => {
  const results: Result[] = [];
  for (const size of options.million ? [...sizes, million] : sizes) {
    const measured = await measureSize(size);
    results.push(...measured);
    process.stdout.write(`${tableOf(size, measured)}\n`);
    // Saved after each size, so that a later failure loses nothing.
    if (options.json !== undefined) {
      writeFileSync(options.json, `${JSON.stringify(results, undefined, 2)}\n`);
    }
  }
  process.stdout.write(legend);
};

const options = tryToReadOptions(parseOptions);
if (options.help) process.stdout.write(help);
else await measureSizes(options).catch((error: unknown) => fail(error, exitCodes.failure));
