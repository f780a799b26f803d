import { isPathSegment } from '../../shared/api/client/outgoing.ts';
import { ecosystems } from '../../shared/ecosystems/ecosystem.ts';
import type { JsonObject } from '../../shared/util/json.ts';
import { UsageError } from '../input/usage-error.ts';
import {
  listEcosystems,
  readPackageText,
  refuseAmbiguous,
  type TypedPackage,
} from '../many/package-text.ts';
import { identityFields } from './build-input.ts';
import type { Invocation } from './command.ts';
import type { RouteDescription } from './route-description.ts';

/** Returns the ecosystem of the flag. */
export const readEcosystemFlag = ({ ecosystem }: JsonObject) =>
  ecosystems.find((one) => one === ecosystem);

/**
 * Checks that flags do not contradict the package.
 * @param place the start of the message
 * @throws {UsageError} if a flag has another value
 */
export const checkOwnFlags = (fields: JsonObject, flags: JsonObject, place: string): void => {
  for (const field of identityFields) {
    const [given, known] = [flags[field], fields[field] ?? undefined];
    if (given === undefined || known === undefined || given === known) continue;
    const difference = `--${field} is ${given}, but the package has ${JSON.stringify(known)}`;
    throw new UsageError(`${place}${difference}: remove one of them.`);
  }
};

const refuseText = (text: string): UsageError =>
  new UsageError(
    `${text} is no package: write lodash, npm:lodash@4.17.21, org.slf4j:slf4j-api@2.0.9, nginx:1.27.3, or a package URL such as pkg:npm/lodash@4.17.21.`,
  );

/**
 * Parses a package with its version or ecosystem, such as `npm:lodash@4.17.21`, or a package URL.
 * @throws {UsageError} for text that names no package, and for flags that contradict it
 */
export const readTypedPackage = (text: string, flags: JsonObject): TypedPackage => {
  const typed = readPackageText(text, readEcosystemFlag(flags));
  if (!typed || !isPathSegment(typed.name)) throw refuseText(text);
  const { ecosystem, version } = typed;
  checkOwnFlags({ ecosystem, version }, flags, `${text}: `);
  return typed;
};

/**
 * Reads a package argument into fields of the body, such as `npm:lodash@4.17.21`.
 * @throws {UsageError} for text that names no package of one ecosystem, and for flags that contradict it
 */
export const readPackageFields = (text: string, flags: JsonObject): JsonObject => {
  const { ecosystem: typed, name, version } = readTypedPackage(text, flags);
  const [ecosystem, ...others] = typed ? [typed] : listEcosystems(name);
  if (!ecosystem) throw refuseText(text);
  if (others.length > 0) throw refuseAmbiguous(text, name);
  return { ecosystem, name, ...(version && { version }) };
};

/** Returns the position of the package among the path arguments; -1 if the command is not about one package. */
const findPackageArgument = ({ parameters, query }: RouteDescription): number =>
  query.some(({ name }) => name === 'version') ? parameters.indexOf('name') : -1;

/**
 * Splits a package argument such as `npm:lodash@4.17.21` into the name and flags for its ecosystem and version.
 * @throws {UsageError} for text that names no package, and for flags that contradict it
 */
export const readNamedPackage = (
  described: RouteDescription,
  { arguments: given, flags }: Invocation,
): Invocation => {
  const at = findPackageArgument(described);
  const text = given[at];
  if (text === undefined) return { arguments: given, flags };
  const { name, ecosystem, version } = readTypedPackage(text, flags);
  return {
    arguments: given.with(at, name),
    flags: { ...flags, ...(ecosystem && { ecosystem }), ...(version && { version }) },
  };
};
