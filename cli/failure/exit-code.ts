import { CommanderError } from 'commander';
import { RequestError } from '../../shared/api/client/client.ts';
import { UsageError } from '../input/usage-error.ts';
import { IdTokenError } from '../session/id-token-error.ts';
import { NegativeResultError } from './negative-result-error.ts';
import { UnansweredError } from './unanswered-error.ts';

/**
 * The exit codes: success, a refusal or a negative result, wrong usage, a fault of the registry or the network, and
 * Ctrl-C as shells report it.
 */
export const exitCodes = { done: 0, refused: 1, usage: 2, fault: 3, interrupted: 130 } as const;

export type ExitCode = (typeof exitCodes)[keyof typeof exitCodes];

/** Returns whether the command itself was wrong, and nothing was sent to the registry. */
export const isWrongUsage = (error: unknown): error is Error =>
  error instanceof UsageError || error instanceof CommanderError;

/** Returns the exit code of a failure. */
export const toExitCode = (error: unknown): ExitCode => {
  if (isWrongUsage(error)) return exitCodes.usage;
  if (error instanceof NegativeResultError) return exitCodes.refused;
  if (error instanceof IdTokenError) {
    return error.code === 'unreachable' ? exitCodes.fault : exitCodes.refused;
  }
  if (!(error instanceof RequestError) || error instanceof UnansweredError) return exitCodes.fault;
  const { status, problem } = error;
  const isRefusal = problem !== null && status !== null && status < 500 && status !== 429;
  return isRefusal ? exitCodes.refused : exitCodes.fault;
};
