import { RequestError } from '../../shared/api/client/client.ts';
import { formatJson } from '../output/json.ts';
import type { Terminal } from '../output/terminal.ts';
import { toOneLine, toPrintable } from '../output/text.ts';
import type { Settings } from '../session/settings.ts';
import { escapeWorkflowCommands } from './escape-workflow-commands.ts';
import { type ExitCode, isWrongUsage, toExitCode } from './exit-code.ts';
import { NegativeResultError } from './negative-result-error.ts';
import { describeRequestFailure } from './request-failure.ts';

/** The context of a failed command. */
interface FailureContext {
  readonly terminal: Terminal;
  readonly json: boolean;
  readonly settings: Settings | undefined;
  /** The command as far as it was recognized, such as `registry scan show`. */
  readonly command: string;
  /** The package that failed, if a command has several. */
  readonly about?: string;
}

/** Drops the prefix of commander's messages. */
const dropPrefix = (message: string): string =>
  message.replace(/^error: /, '').replace(/('--version')\n\(Did you mean --version\?\)$/, '$1');

/** Hints for mistakes of users of other command lines. */
const usageHints: readonly (readonly [fault: RegExp, hint: string])[] = [
  [/unknown option '--format'|'-o, --output <what>' argument/, 'For JSON, add --json.'],
  [/too many arguments for 'list'/, 'To find packages by name, use registry search NAME.'],
];

const describeForPeople = (error: unknown, { settings, command }: FailureContext): string[] => {
  if (isWrongUsage(error)) {
    const message = dropPrefix(error.message);
    const hints = usageHints.filter(([fault]) => fault.test(message)).map(([, hint]) => hint);
    return [message, ...hints, `Run ${command} --help for its flags and examples.`];
  }
  if (error instanceof RequestError) return describeRequestFailure(error, settings);
  if (error instanceof NegativeResultError) return [error.message, ...error.advice];
  return [error instanceof Error ? error.message : String(error)];
};

/** Returns the problem document, or one of the same form for other failures. */
const describeForPrograms = (error: unknown): object => {
  if (error instanceof RequestError) {
    const { status, code, detail, problem } = error;
    return problem ?? { status, code, detail };
  }
  const detail = error instanceof Error ? dropPrefix(error.message) : String(error);
  const code = error instanceof NegativeResultError ? 'negative_result' : 'failed';
  return { status: null, code: isWrongUsage(error) ? 'wrong_usage' : code, detail };
};

/** Writes a failure and the next step to standard error. Returns the exit code. */
export const reportFailure = (error: unknown, context: FailureContext): ExitCode => {
  const { err } = context.terminal;
  if (context.json)
    err.write(`${escapeWorkflowCommands.json(formatJson(describeForPrograms(error)))}\n`);
  else {
    const [first = '', ...others] = describeForPeople(error, context);
    const about = context.about === undefined ? '' : `${context.about}: `;
    const text = [
      `${err.style('red', 'error:')} ${toOneLine(about + first)}`,
      ...others.map(toPrintable),
    ];
    err.write(`${escapeWorkflowCommands.text(text.join('\n'))}\n`);
  }
  return toExitCode(error);
};
