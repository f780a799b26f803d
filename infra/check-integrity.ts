import { parseArgs } from 'node:util';
import { InvokeCommand, LambdaClient } from '@aws-sdk/client-lambda';
import { type IntegrityPhase, IntegrityReport } from '../shared/api/schemas/integrity.ts';
import { askAws } from './aws-errors.ts';
import { readRunningStack } from './local/running-stack.ts';

/** `npm run integrity`: invokes the function `check-integrity` step by step until it has checked everything. */

const usage = `Usage: npm run integrity -- [--repair] [--function NAME | --data DIR]

Compares derived items (rows and counters of lists and searches, review states, pinned
files, events, uses of projects) with the packages, scans, records and snapshots, while the
registry works. Reports each difference, and changes nothing without --repair.

  --repair         repair each difference, then check a second time
  --function NAME  check a deployment: the stack's output CheckIntegrityFunctionName
                   (with your credentials for AWS)
  --data DIR       check the registry that npm start runs on this folder (default .registry)

Exits with 0 if the last check found no problem, 1 if it found one or left an item
unjudged, 2 if it could not run.`;

type Invoke = (request: string) => Promise<string>;

/** Invokes a deployed function. One step can take its 15 minutes, and a repeated request would be a second one. */
const invokeDeployed = (name: string): Invoke => {
  const client = new LambdaClient({ maxAttempts: 1 });
  return (request) =>
    askAws(async () => {
      const { Payload } = await client.send(
        new InvokeCommand({ FunctionName: name, Payload: new TextEncoder().encode(request) }),
      );
      return new TextDecoder().decode(Payload);
    });
};

const invokeLocal = (folder: string): Invoke => {
  const { lambda, outputs } = readRunningStack(folder);
  const url = `${lambda}/2015-03-31/functions/${outputs['CheckIntegrityFunctionName']}/invocations`;
  return async (request) => {
    const answer = await fetch(url, { method: 'POST', body: request }).catch(() => undefined);
    if (answer) return answer.text();
    throw new Error(`No registry runs on the data folder ${folder} now: start it by npm start.`);
  };
};

const parseAnswer = (answer: string): IntegrityReport => {
  const parsed = IntegrityReport.safeParse(JSON.parse(answer));
  if (parsed.success) return parsed.data;
  throw new Error(`The function check-integrity failed: ${answer}`);
};

/** The plural noun for the items of each phase. */
const nouns: Readonly<Record<IntegrityPhase, string>> = {
  sums: 'rows',
  versions: 'versions',
  rows: 'rows looked up',
  counters: 'counters',
  reviews: 'review items',
  listings: 'vulnerability and POM listings',
  records: 'records',
  displaced: 'records without an event number',
  events: 'events',
  projects: 'items of projects',
  uses: 'uses looked up',
};

const describeChecked = ({ checked }: IntegrityReport): string =>
  Object.entries(nouns)
    .map(([phase, noun]) => `${checked[phase] ?? 0} ${noun}`)
    .join(', ');

const showProgress = (report: IntegrityReport): void => {
  const { phase } = report.next;
  process.stderr.write(`checking ${nouns[phase]}; checked so far: ${describeChecked(report)}\n`);
};

/** Replaces control characters, which could steer a terminal. */
const cleanText = (text: string): string => text.replace(/\p{Cc}/gu, '·');

const sum = (tally: Readonly<Record<string, number>>): number =>
  Object.values(tally).reduce((total, count) => total + count, 0);

const isClean = ({ found, unjudged }: IntegrityReport): boolean => sum(found) + unjudged === 0;

const showResult = (report: IntegrityReport): void => {
  const { found, repaired, unjudged, examples } = report;
  console.log(`Checked ${describeChecked(report)}.`);
  if (isClean(report)) console.log('No problems found.');
  for (const [kind, count] of Object.entries(found)) {
    if (count > 0) console.log(`${count} ${kind.replaceAll('_', ' ')}${count > 1 ? 's' : ''}`);
  }
  for (const example of examples) console.log(`  ${cleanText(example)}`);
  if (repaired > 0) console.log(`Repaired ${repaired}.`);
  if (unjudged > 0) {
    console.log(
      `${unjudged} left unjudged: they changed too fast, or the log names an error. Check again later.`,
    );
  }
};

const checkAll = async (invoke: Invoke, repair: boolean): Promise<IntegrityReport> => {
  let report = parseAnswer(await invoke(JSON.stringify({ repair })));
  while (!report.done) {
    showProgress(report);
    report = parseAnswer(await invoke(JSON.stringify(report)));
  }
  return report;
};

const parseFlags = () =>
  parseArgs({
    options: {
      repair: { type: 'boolean', default: false },
      function: { type: 'string' },
      data: { type: 'string', default: '.registry' },
      help: { type: 'boolean', default: false },
    },
  }).values;

/** Checks once, and after a repair a second time. Resolves to true if the last check found no problem. */
const run = async ({ repair, function: name, data }: ReturnType<typeof parseFlags>) => {
  const invoke = name ? invokeDeployed(name) : invokeLocal(data);
  let report = await checkAll(invoke, repair);
  showResult(report);
  if (repair && !isClean(report)) {
    console.log('Second check:');
    report = await checkAll(invoke, false);
    showResult(report);
  }
  return isClean(report);
};

try {
  const flags = parseFlags();
  if (flags.help) console.log(usage);
  else process.exitCode = (await run(flags)) ? 0 : 1;
} catch (error) {
  const message = error instanceof Error ? error.message : String(error);
  console.error(message.startsWith('Unknown option') ? `${message}\n\n${usage}` : message);
  process.exitCode = 2;
}
