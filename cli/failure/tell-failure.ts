import { RequestError } from '../../shared/api/client/client.ts';
import { formatJson } from '../output/json.ts';
import type { Terminal } from '../output/terminal.ts';
import { toOneLine, toPrintable } from '../output/text.ts';
import type { Settings } from '../session/settings.ts';
import { breakCommands } from './break-commands.ts';
import { type ExitCode, isWrongUsage, toExitCode } from './exit-code.ts';
import { JudgedError } from './judged-error.ts';
import { describeRequestFailure } from './request-failure.ts';

/** What is known when a command fails. */
interface FailureContext {
  readonly terminal: Terminal;
  readonly json: boolean;
  readonly settings: Settings | undefined;
  /** The command, as far as it could be made out, such as `registry scan show`. */
  readonly command: string;
  /** What it is about, where a command is about several things. */
  readonly about?: string;
}

/** Commander begins its messages so. */
const dropPrefix = (message: string): string => message.replace(/^error: /, '');

const describeForPeople = (error: unknown, { settings, command }: FailureContext): string[] => {
  if (isWrongUsage(error)) {
    return [dropPrefix(error.message), `${command} --help shows what there is.`];
  }
  if (error instanceof RequestError) return describeRequestFailure(error, settings);
  if (error instanceof JudgedError) return [error.message, ...error.advice];
  return [error instanceof Error ? error.message : String(error)];
};

/** The problem document if there is one, and one of the same kind if not. */
const describeForPrograms = (error: unknown): object => {
  if (error instanceof RequestError) {
    const { status, code, detail, problem } = error;
    return problem ?? { status, code, detail };
  }
  const detail = error instanceof Error ? dropPrefix(error.message) : String(error);
  const code = error instanceof JudgedError ? 'not_good_enough' : 'failed';
  return { status: null, code: isWrongUsage(error) ? 'wrong_usage' : code, detail };
};

/** Tells on standard error what went wrong and what to do; returns the exit code. */
export const tellFailure = (error: unknown, context: FailureContext): ExitCode => {
  const { err } = context.terminal;
  if (context.json) err.write(`${breakCommands.json(formatJson(describeForPrograms(error)))}\n`);
  else {
    const [first = '', ...others] = describeForPeople(error, context);
    const about = context.about === undefined ? '' : `${context.about}: `;
    const text = [
      `${err.style('red', 'error:')} ${toOneLine(about + first)}`,
      ...others.map(toPrintable),
    ];
    err.write(`${breakCommands.text(text.join('\n'))}\n`);
  }
  return toExitCode(error);
};
