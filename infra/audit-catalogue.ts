import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { type AuditPhase, AuditReport } from '../shared/api/schemas/audit.ts';
import { readRunningStack } from './local/running-stack.ts';

/** `npm run audit`: invokes the audit function step by step until it has looked at everything. */

const usage = `Usage: npm run audit -- [--repair] [--function NAME | --data DIR]

Compares what follows from packages and records (what lists and searches read, what
reviews work with, events) with them, while the registry goes on working. It reports, and
changes nothing without --repair.

  --repair         mend what is wrong, then look a second time
  --function NAME  audit a deployment: the stack's output AuditCatalogueFunctionName
                   (by the AWS CLI, with its credentials)
  --data DIR       audit the registry that npm start runs on this folder (default .registry)

Exits with 0 if the last look found that all agrees, 1 if something is wrong or could not
be judged, 2 if it could not look.`;

type Invoke = (request: string) => Promise<string>;

/** The AWS CLI writes a function's answer to a file. */
const invokeDeployed =
  (name: string): Invoke =>
  async (request) => {
    const folder = mkdtempSync(join(tmpdir(), 'package-registry-audit-'));
    const file = join(folder, 'answer.json');
    const options = ['--cli-binary-format', 'raw-in-base64-out', '--cli-read-timeout', '0'];
    try {
      execFileSync(
        'aws',
        ['lambda', 'invoke', '--function-name', name, ...options, '--payload', request, file],
        { stdio: ['ignore', 'ignore', 'inherit'] },
      );
      return readFileSync(file, 'utf8');
    } finally {
      rmSync(folder, { recursive: true });
    }
  };

const invokeLocal = (folder: string): Invoke => {
  const { lambda, outputs } = readRunningStack(folder);
  const url = `${lambda}/2015-03-31/functions/${outputs['AuditCatalogueFunctionName']}/invocations`;
  return async (request) => {
    const answer = await fetch(url, { method: 'POST', body: request }).catch(() => undefined);
    if (answer) return answer.text();
    throw new Error(`No registry runs on the data folder ${folder} now: start it by npm start.`);
  };
};

const parseAnswer = (answer: string): AuditReport => {
  const parsed = AuditReport.safeParse(JSON.parse(answer));
  if (parsed.success) return parsed.data;
  throw new Error(`The audit function failed: ${answer}`);
};

/** What each count is of, in words. */
const words: Readonly<Record<AuditPhase, string>> = {
  versions: 'versions',
  rows: 'rows',
  counters: 'counters',
  reviews: 'heads and due rows',
  listings: 'listings of vulnerabilities and POMs',
  records: 'records',
  displaced: 'displaced records',
  events: 'events',
};

const describeChecked = ({ checked }: AuditReport): string =>
  Object.entries(words)
    .map(([phase, word]) => `${checked[phase] ?? 0} ${word}`)
    .join(', ');

const showProgress = (report: AuditReport): void => {
  const { phase } = report.next;
  process.stderr.write(`at the ${words[phase]}: ${describeChecked(report)} so far\n`);
};

/** Texts may hold what would steer a terminal. */
const cleanText = (text: string): string => text.replace(/\p{Cc}/gu, '·');

const sum = (tally: Readonly<Record<string, number>>): number =>
  Object.values(tally).reduce((total, count) => total + count, 0);

const isClean = ({ found, unjudged }: AuditReport): boolean => sum(found) + unjudged === 0;

const showResult = (report: AuditReport): void => {
  const { found, repaired, unjudged, examples } = report;
  console.log(`Looked at ${describeChecked(report)}.`);
  if (isClean(report)) console.log('Everything agrees.');
  for (const [kind, count] of Object.entries(found)) {
    if (count > 0) console.log(`${count} ${kind.replaceAll('_', ' ')}${count > 1 ? 's' : ''}`);
  }
  for (const example of examples) console.log(`  ${cleanText(example)}`);
  if (repaired > 0) console.log(`Mended ${repaired}.`);
  if (unjudged > 0) console.log(`${unjudged} changed too fast to be judged: audit again later.`);
};

const audit = async (invoke: Invoke, repair: boolean): Promise<AuditReport> => {
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

/** Looks, and after a repair a second time. Resolves to whether the last look found that all agrees. */
const run = async ({ repair, function: name, data }: ReturnType<typeof parseFlags>) => {
  const invoke = name ? invokeDeployed(name) : invokeLocal(data);
  let report = await audit(invoke, repair);
  showResult(report);
  if (repair && !isClean(report)) {
    console.log('A second look:');
    report = await audit(invoke, false);
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
