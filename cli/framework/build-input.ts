import type { CallOptions } from '../../shared/api/client/client.ts';
import type { RouteInput } from '../../shared/api/client/outgoing.ts';
import { takesIdempotencyKey } from '../../shared/api/route-rules.ts';
import { isObject, type JsonObject } from '../../shared/util/json.ts';
import { UsageError } from '../input/usage-error.ts';
import type { Invocation } from './command.ts';
import { type Flag, toOption } from './flag-options.ts';
import type { RouteDescription } from './route-description.ts';

/** The fields that identify a package version. */
export const identityFields: readonly string[] = ['ecosystem', 'name', 'version'];

/** Returns the fields that one flag sets: its own field, unless the flag has a parser. */
const readFlag = (flag: Flag, flags: JsonObject): JsonObject => {
  const value = flags[toOption(flag).attributeName()];
  if (value === undefined) return {};
  if (flag.parse && isObject(value)) return value;
  return { [flag.name]: flag.nullable && value === 'null' ? null : value };
};

/** Returns the fields that flags set. */
export const readFlags = (known: readonly Flag[], flags: JsonObject): JsonObject =>
  Object.assign({}, ...known.map((flag) => readFlag(flag, flags)));

/** Other names of fields in files: a purl's `type` is the ecosystem. */
const fieldAliases: Readonly<Record<string, string>> = { ecosystem: 'type' };

const findValue = (values: JsonObject, name: string): unknown =>
  values[name] ?? values[fieldAliases[name] ?? name];

const isMissing = (value: unknown): boolean =>
  value === undefined || (typeof value === 'string' && value.trim() === '');

const findMissing = (known: readonly Flag[], values: JsonObject): string =>
  known
    .filter(({ name, required }) => required && isMissing(findValue(values, name)))
    .map(({ typed }) => typed)
    .join(', ');

const checkRequired = (
  { body, source }: RouteDescription,
  values: JsonObject,
  flags: JsonObject,
): void => {
  const typed = findMissing(body, values);
  if (typed === '') return;
  throw new UsageError(
    flags['from']
      ? `Missing ${typed}: ${flags['from']} does not state it, or declares it dynamic. Add ${typed}.`
      : `Missing ${typed}: give ${typed.includes(',') ? 'them as flags' : 'it as a flag'}${source?.alternative ?? ''}.`,
  );
};

/** @throws {UsageError} if a field is given without the field that it needs */
const checkNeeds = ({ body }: RouteDescription, values: JsonObject): void => {
  for (const { name, typed, needs } of body) {
    if (needs === undefined || !values[name] || values[needs]) continue;
    const needed = body.find((flag) => flag.name === needs)?.typed;
    throw new UsageError(`${typed} needs ${needed}.`);
  }
};

/**
 * Checks the fields of one of many packages, but not its identity: the registry refuses that package alone.
 * @throws {UsageError} if a required field is missing
 */
export const checkItem = (described: RouteDescription, values: JsonObject): void => {
  const missing = findMissing(
    described.body.filter(({ name }) => !identityFields.includes(name)),
    values,
  );
  if (missing) throw new UsageError(`Missing ${missing}: give it as a flag.`);
  checkNeeds(described, values);
};

/** Returns the body: flags override its source. An optional body without fields is left out. */
const buildBody = (described: RouteDescription, flags: JsonObject, source: unknown): unknown => {
  const { route, body } = described;
  if (!route.body) return undefined;
  if (body.length === 0) return source;
  const values = { ...(source as object), ...readFlags(body, flags) };
  checkRequired(described, values, flags);
  checkNeeds(described, values);
  return route.body.optional && Object.keys(values).length === 0 ? undefined : values;
};

/**
 * Builds the input of an operation from the arguments and flags, and from the source of the body.
 * @throws {UsageError} if a required field is missing
 */
export const buildInput = (
  described: RouteDescription,
  { arguments: given, flags }: Invocation,
  source: unknown,
): RouteInput => {
  const path = Object.fromEntries(described.parameters.map((name, at) => [name, given[at] ?? '']));
  const query = readFlags(described.query, flags);
  const missing = findMissing(described.query, query);
  if (missing) throw new UsageError(`Missing ${missing}: give it as a flag.`);
  const body = buildBody(described, flags, source);
  return { path, query, ...(body !== undefined && { body }) };
};

/** Returns the options of a call. A write without `--idempotency-key` gets a random key, so that a retry is safe. */
export const buildCallOptions = (
  { route }: RouteDescription,
  { flags }: Pick<Invocation, 'flags'>,
): CallOptions => {
  if (!takesIdempotencyKey(route)) return {};
  return { idempotencyKey: (flags['idempotencyKey'] as string) ?? crypto.randomUUID() };
};
