import { CommanderError } from 'commander';
import { RequestError } from '../shared/client/client.ts';
import { jsonText } from './output/json.ts';
import { oneLine, printable } from './output/text.ts';
import { isRecord, shown } from './output/values.ts';
import type { Settings } from './settings.ts';
import type { Terminal } from './terminal.ts';
import { UsageError } from './usage-error.ts';

export const exitCodes = { done: 0, refused: 1, usage: 2, fault: 3 } as const;

export type ExitCode = (typeof exitCodes)[keyof typeof exitCodes];

/** What is known when a command fails. */
export interface FailureContext {
  readonly terminal: Terminal;
  readonly json: boolean;
  readonly settings: Settings | undefined;
  /** The command, as far as it could be made out, such as `registry scan show`. */
  readonly command: string;
}

const isUsage = (error: unknown): error is Error =>
  error instanceof UsageError || error instanceof CommanderError;

export const exitCodeOf = (error: unknown): ExitCode => {
  if (isUsage(error)) return exitCodes.usage;
  if (!(error instanceof RequestError)) return exitCodes.fault;
  const { status, problem } = error;
  const isRefusal = problem !== null && status !== null && status < 500 && status !== 429;
  return isRefusal ? exitCodes.refused : exitCodes.fault;
};

const tokenSource = (settings: Settings | undefined): string =>
  settings?.token?.source ?? 'the command';

const whereFrom = (settings: Settings | undefined): string => {
  const proxies = settings?.proxies ?? [];
  const through = proxies.length > 0 ? ` A proxy is set by ${proxies.join(' and ')}.` : '';
  return `The URL came from ${settings?.url.source}.${through}`;
};

/** What to do next, where the registry speaks of HTTP and people type commands. */
const advice: Readonly<Record<string, (settings: Settings | undefined) => string>> = {
  missing_token: () => 'Give a token by REGISTRY_TOKEN or --token.',
  invalid_token: (settings) => `The token came from ${tokenSource(settings)}.`,
  ambiguous_version: () => 'Say which, by adding one of these to the command:',
  reason_required: () => 'Give one by --reason.',
  approval_blocked: () => 'To approve all the same, add: --override --reason "…"',
  license_not_found: () => 'registry license list shows what is known.',
  package_not_found: () => 'registry list --search finds packages by a part of their name.',
  scan_not_found: () => "registry scan upload takes a scanner's report.",
  unreachable: whereFrom,
  timeout: whereFrom,
  unexpected_answer: whereFrom,
};

const recordsOf = (value: unknown) => (Array.isArray(value) ? value.filter(isRecord) : []);

const candidateLine = ({ ecosystem, version, status }: Readonly<Record<string, unknown>>): string =>
  `  --ecosystem ${shown(ecosystem)} --version ${shown(version)}   (${shown(status)})`;

/** What stands in the way of a request, a line each. */
export const reasonLines = ({ problem }: RequestError): string[] =>
  recordsOf(problem?.['reasons']).map(({ message }) => `  - ${shown(message)}`);

/** What the registry says of these is in HTTP's words; the title and the advice say it in those of a command. */
const titled = new Set(['ambiguous_version', 'approval_blocked', 'missing_token']);

/** Everything that a person is told about a refused or failed request, a line each. */
const requestLines = (error: RequestError, settings: Settings | undefined): string[] => {
  const { problem, code, detail, requestId } = error;
  const reasons = reasonLines(error);
  const candidates = recordsOf(problem?.['candidates']).map(candidateLine);
  const waitSeconds = Math.ceil(error.retryAfterMs / 1000);
  const isFault = exitCodeOf(error) === exitCodes.fault;
  return [
    problem && titled.has(code) ? `${problem.title}${reasons.length > 0 ? ':' : '.'}` : detail,
    ...reasons,
    ...(Object.hasOwn(advice, code) ? [advice[code]?.(settings) ?? ''] : []),
    ...candidates,
    ...(waitSeconds > 0 ? [`Try again in ${waitSeconds} s.`] : []),
    ...(isFault && requestId ? [`The registry's log has more under request ${requestId}.`] : []),
  ];
};

type Known = Pick<FailureContext, 'settings' | 'command'>;

const usageLines = (error: Error, command: string): string[] => [
  error.message.replace(/^error: /, ''),
  `${command} --help shows what there is.`,
];

const linesOf = (error: unknown, { settings, command }: Known): string[] => {
  if (isUsage(error)) return usageLines(error, command);
  if (error instanceof RequestError) return requestLines(error, settings);
  return [error instanceof Error ? error.message : String(error)];
};

/** The same for programs: the problem document if there is one. */
const documentOf = (error: unknown): object => {
  if (error instanceof RequestError) {
    const { status, code, detail, problem } = error;
    return problem ?? { status, code, detail };
  }
  const detail = error instanceof Error ? error.message.replace(/^error: /, '') : String(error);
  return { status: null, code: isUsage(error) ? 'wrong_usage' : 'failed', detail };
};

/** Tells on standard error what went wrong and what to do; returns the exit code. */
export const tellFailure = (error: unknown, context: FailureContext): ExitCode => {
  const { terminal, json } = context;
  const { err } = terminal;
  if (json) err.write(`${jsonText(documentOf(error))}\n`);
  else {
    const [first = '', ...others] = linesOf(error, context);
    const text = [`${err.style('red', 'error:')} ${oneLine(first)}`, ...others.map(printable)];
    err.write(`${text.join('\n')}\n`);
  }
  return exitCodeOf(error);
};
