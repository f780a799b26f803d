import { CommanderError } from 'commander';
import { RequestError } from '../../shared/api/client/client.ts';
import { UsageError } from '../input/usage-error.ts';
import { JudgedError } from './judged-error.ts';
import { UnansweredError } from './unanswered-error.ts';

/**
 * Done, refused by the registry or not good enough, wrong usage, or a fault of the registry or the network; and what
 * shells say of a command that Ctrl-C ended.
 */
export const exitCodes = { done: 0, refused: 1, usage: 2, fault: 3, interrupted: 130 } as const;

export type ExitCode = (typeof exitCodes)[keyof typeof exitCodes];

/** Whether the command itself was wrong: nothing was asked of the registry. */
export const isWrongUsage = (error: unknown): error is Error =>
  error instanceof UsageError || error instanceof CommanderError;

/** The exit code that tells scripts of this failure. */
export const toExitCode = (error: unknown): ExitCode => {
  if (isWrongUsage(error)) return exitCodes.usage;
  if (error instanceof JudgedError) return exitCodes.refused;
  if (!(error instanceof RequestError) || error instanceof UnansweredError) return exitCodes.fault;
  const { status, problem } = error;
  const isRefusal = problem !== null && status !== null && status < 500 && status !== 429;
  return isRefusal ? exitCodes.refused : exitCodes.fault;
};
