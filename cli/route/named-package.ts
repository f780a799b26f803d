import { isPathSegment } from '../../shared/api/client/outgoing.ts';
import { ecosystems } from '../../shared/domain/packages/ecosystem.ts';
import type { JsonObject } from '../../shared/util/json.ts';
import { UsageError } from '../input/usage-error.ts';
import {
  listEcosystems,
  readPackageText,
  refuseAmbiguous,
  type TypedPackage,
} from '../many/package-text.ts';
import { type Invocation, ownFields } from './invocation.ts';
import type { RouteCommand } from './route-command.ts';

/** The ecosystem that a flag says. */
export const readEcosystemFlag = ({ ecosystem }: JsonObject) =>
  ecosystems.find((one) => one === ecosystem);

/**
 * Which version it is, is said once: a flag may only repeat it.
 * @param place the beginning of what is wrong
 * @throws {UsageError} if a flag says something else
 */
export const checkOwnFlags = (said: JsonObject, flags: JsonObject, place: string): void => {
  for (const field of ownFields) {
    const [given, known] = [flags[field], said[field] ?? undefined];
    if (given === undefined || known === undefined || given === known) continue;
    const differing = `--${field} says ${given}, and the package itself ${JSON.stringify(known)}`;
    throw new UsageError(`${place}${differing}: leave one of them out.`);
  }
};

const refuseText = (text: string): UsageError =>
  new UsageError(
    `${text} names no package: write lodash, npm:lodash@4.17.21, org.slf4j:slf4j-api@2.0.9, nginx:1.27.3, or a package URL such as pkg:npm/lodash@4.17.21.`,
  );

/**
 * Reads a package that was typed with its version or ecosystem, such as `npm:lodash@4.17.21`, or as a package URL.
 * @throws {UsageError} for what names no package, and for flags that say something else
 */
export const readTypedPackage = (text: string, flags: JsonObject): TypedPackage => {
  const typed = readPackageText(text, readEcosystemFlag(flags));
  if (!typed || !isPathSegment(typed.name)) throw refuseText(text);
  const { ecosystem, version } = typed;
  checkOwnFlags({ ecosystem, version }, flags, `${text}: `);
  return typed;
};

/**
 * Reads the package that is typed behind a command's other arguments into fields of the body.
 * @returns undefined where none is typed
 * @throws {UsageError} for what names no package of one ecosystem, and for flags that say something else
 */
export const readBodyPackage = (
  { arguments: names, words }: RouteCommand,
  { arguments: given, flags }: Invocation,
): JsonObject | undefined => {
  const text = words.bodyPackage === undefined ? undefined : given[names.length];
  if (text === undefined) return undefined;
  const { ecosystem: said, name, version } = readTypedPackage(text, flags);
  const [ecosystem, ...others] = said ? [said] : listEcosystems(name);
  if (!ecosystem) throw refuseText(text);
  if (others.length > 0) throw refuseAmbiguous(text, name);
  return { ecosystem, name, ...(version && { version }) };
};

/** Where the package stands among the arguments of a command about one; -1 if it is about something else. */
const findPackageArgument = ({ arguments: names, words, query }: RouteCommand): number =>
  words.arguments?.['name'] === undefined && query.some(({ name }) => name === 'version')
    ? names.indexOf('name')
    : -1;

/**
 * Reads a package that was typed with its version or ecosystem, such as `npm:lodash@4.17.21`, into what the command takes:
 * its name, and flags for the rest.
 * @throws {UsageError} for what names no package, and for flags that say something else
 */
export const readNamedPackage = (described: RouteCommand, invocation: Invocation): Invocation => {
  const at = findPackageArgument(described);
  const { arguments: given, flags } = invocation;
  const text = given[at];
  if (text === undefined) return invocation;
  const { name, ecosystem, version } = readTypedPackage(text, flags);
  return {
    arguments: given.with(at, name),
    flags: { ...flags, ...(ecosystem && { ecosystem }), ...(version && { version }) },
  };
};
