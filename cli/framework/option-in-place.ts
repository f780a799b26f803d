import { UsageError } from '../input/usage-error.ts';
import type { Invocation } from './command.ts';

/**
 * Returns whether an option was given that stands in place of the arguments, such as `--since`.
 * @param refused the arguments that do not go with the option, as the usage shows them
 * @throws {UsageError} if both the option and arguments were given
 */
export const takesOption = (
  { arguments: given, flags }: Invocation,
  option: string,
  refused: readonly string[],
): boolean => {
  if (flags[option] === undefined) return false;
  const surplus = given.filter((argument) => argument !== undefined).join(' ');
  if (surplus === '') return true;
  throw new UsageError(`--${option} takes no ${refused.join(' and no ')}: leave out ${surplus}.`);
};

/** @throws {UsageError} if neither the argument nor the option in its place was given */
export const requireArgument = (
  { arguments: given }: Invocation,
  argument: string,
  option: string,
): void => {
  if (given.some((one) => one !== undefined)) return;
  throw new UsageError(`Give ${argument} or --${option}.`);
};
