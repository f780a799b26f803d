/**
 * `npm run proof`: checks histories of many clients with faults and kills, and hostile requests, against the API's promises, and
 * replays real attacks.
 */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { synthesiseRegistry } from '../../infra/local/synthesis.ts';
import { help, type Options, type Part, parseOptions, parts } from './options.ts';
import { formatReport, type PartReport } from './report.ts';

const exitCodes = { failure: 1, usage: 2, stopped: 130 } as const;

/** The share of the time for each part. Attacks are replayed in full. */
const shares: Readonly<Record<Part, number>> = {
  ...{ histories: 0.35, kills: 0.3, hostile: 0.25, sockets: 0.1, attacks: 0 },
};

const minuteSeconds = 60;

/** Runs the parts one after the other, until one has a violation. */
const runParts = async (options: Options, assembly: string): Promise<PartReport[]> => {
  // The rig sets the environment of the functions later, so it loads nothing before that.
  const { runPart } = await import('./run-part.ts');
  const { seed, count, plant, minutes, only } = options;
  const reports: PartReport[] = [];
  for (const part of only === undefined ? parts : [only]) {
    const seconds = minutes * minuteSeconds * (only === undefined ? shares[part] : 1);
    const report = await runPart(part, {
      ...{ seed, assembly, seconds },
      ...(count !== undefined && { count }),
      ...(plant !== undefined && { plant }),
    });
    reports.push(report);
    if (report.violations.length > 0) break;
  }
  return reports;
};

const prove = async (options: Options): Promise<void> => {
  process.stderr.write(`Seed ${options.seed}. Synthesising the stack...\n`);
  const folder = mkdtempSync(join(tmpdir(), 'package-registry-proof-'));
  process.once('exit', () => rmSync(folder, { recursive: true, force: true }));
  process.once('SIGINT', () => process.exit(exitCodes.stopped));
  const assembly = join(folder, 'assembly');
  await synthesiseRegistry({ project: process.cwd(), assembly, environment: process.env });
  const reports = await runParts(options, assembly);
  process.stdout.write(`${formatReport(reports, options.seed)}\n`);
  const hasHeld = reports.every(({ violations }) => violations.length === 0);
  process.exitCode = hasHeld ? 0 : exitCodes.failure;
};

const readOptions = (): Options => {
  try {
    return parseOptions(process.argv.slice(2));
  } catch (error) {
    process.stderr.write(`${(error as Error).message}\n`);
    return process.exit(exitCodes.usage);
  }
};

const options = readOptions();
if (options.help) process.stdout.write(help);
else await prove(options);
