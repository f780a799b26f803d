import { Argument, InvalidArgumentError } from 'commander';
import { isPathSegment } from '../../shared/api/client/outgoing.ts';
import { PackageArgument } from '../completion/package-argument.ts';
import { packageDescription } from './flag-descriptions.ts';

const parsePathArgument = (text: string): string => {
  if (!isPathSegment(text)) throw new InvalidArgumentError('It names nothing.');
  return text;
};

/** Returns a positional argument that becomes part of a path, such as `<id>`. */
export const pathArgument = (typed: string, description: string): Argument =>
  new Argument(typed, description).argParser(parsePathArgument);

/** Returns a positional argument that names a package, such as `[package]`. */
export const packageArgument = (typed: string, description = packageDescription): Argument =>
  new PackageArgument(typed, description).argParser(parsePathArgument);

/** Returns a positional argument that names any number of packages, such as `[package...]`. */
export const packagesArgument = (typed: string, description: string): Argument =>
  new PackageArgument(typed, description).argParser(
    (text: string, before: readonly string[] = []): readonly string[] => [
      ...before,
      parsePathArgument(text),
    ],
  );

/** Returns an argument for each path parameter. One without a description names a package. */
export const toPathArguments = (
  parameters: readonly string[],
  descriptions: Readonly<Record<string, string | undefined>>,
): Argument[] =>
  parameters.map((name) => {
    const description = descriptions[name];
    return description === undefined
      ? packageArgument(`<${name}>`)
      : pathArgument(`<${name}>`, description);
  });
