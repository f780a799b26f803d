import type { CallOptions } from '../../shared/api/client/client.ts';
import type { RouteInput } from '../../shared/api/client/outgoing.ts';
import { takesIdempotencyKey } from '../../shared/api/route-rules.ts';
import { isObject, type JsonObject } from '../../shared/util/json.ts';
import { UsageError } from '../input/usage-error.ts';
import type { CommandWords } from './command-words.ts';
import { toOption } from './declare-input.ts';
import type { Flag, RouteCommand } from './route-command.ts';

/** What tells one version from another. */
export const ownFields: readonly string[] = ['ecosystem', 'name', 'version'];

/** What was typed after a command. */
export interface Invocation {
  readonly arguments: readonly string[];
  readonly flags: JsonObject;
}

/** The fields that a flag stands for: its own, unless it is read in another way. */
const readFlag = (flag: Flag, flags: JsonObject): JsonObject => {
  const value = flags[toOption(flag).attributeName()];
  if (value === undefined) return {};
  if (flag.read && isObject(value)) return value;
  return { [flag.name]: flag.nullable && value === 'null' ? null : value };
};

/** The fields that flags stand for. */
export const readFlags = (known: readonly Flag[], flags: JsonObject): JsonObject =>
  Object.assign({}, ...known.map((flag) => readFlag(flag, flags)));

const otherSources: Readonly<Record<NonNullable<CommandWords['body']> | 'flags', string>> = {
  flags: '',
  'file argument': '',
  'file option': ', or by --file',
  'manifest option': ', or by --file or --from',
};

/** Files may say `type` for the ecosystem. */
const aliases: Readonly<Record<string, string>> = { ecosystem: 'type' };

const findValue = (values: JsonObject, name: string): unknown =>
  values[name] ?? values[aliases[name] ?? name];

/** Text without anything in it says nothing. */
const isMissing = (value: unknown): boolean =>
  value === undefined || (typeof value === 'string' && value.trim() === '');

const findMissing = (known: readonly Flag[], values: JsonObject): string =>
  known
    .filter(({ name, required }) => required && isMissing(findValue(values, name)))
    .map(({ typed }) => typed)
    .join(', ');

const checkRequired = (
  { body, words }: RouteCommand,
  values: JsonObject,
  flags: JsonObject,
): void => {
  const typed = findMissing(body, values);
  if (typed === '') return;
  throw new UsageError(
    flags['from']
      ? `Missing ${typed}: ${flags['from']} does not say it, or says that it is dynamic. Add ${typed}.`
      : `Missing ${typed}: give it as a flag${otherSources[words.body ?? 'flags']}.`,
  );
};

/** @throws {UsageError} if a field is given without the one that it needs */
const checkNeeds = ({ body, words }: RouteCommand, values: JsonObject): void => {
  const typed = (field: string) => body.find(({ name }) => name === field)?.typed;
  for (const [field, other] of Object.entries(words.needs ?? {})) {
    if (!values[field] || values[other]) continue;
    throw new UsageError(`${typed(field)} needs ${typed(other)}.`);
  }
};

/**
 * Checks what is said of one of many packages. Which one it is, is left to the registry: what it refuses costs only itself.
 * @throws {UsageError} if a field is missing
 */
export const checkItem = (described: RouteCommand, values: JsonObject): void => {
  const { body } = described;
  const missing = findMissing(
    body.filter(({ name }) => !ownFields.includes(name)),
    values,
  );
  if (missing) throw new UsageError(`Missing ${missing}: give it as a flag.`);
  checkNeeds(described, values);
};

/** Flags go before what the body's source says. An optional body without anything in it is left out. */
const buildBody = (described: RouteCommand, flags: JsonObject, source: unknown): unknown => {
  const { route, body } = described;
  if (!route.body) return undefined;
  if (body.length === 0) return source;
  const values = { ...(source as object), ...readFlags(body, flags) };
  checkRequired(described, values, flags);
  checkNeeds(described, values);
  return route.body.optional && Object.keys(values).length === 0 ? undefined : values;
};

/**
 * Builds what the operation is given, from what was typed and what its body's source says.
 * @throws {UsageError} if a field is missing that must be there
 */
export const buildInput = (
  described: RouteCommand,
  { arguments: given, flags }: Invocation,
  source: unknown,
): RouteInput => {
  const path = Object.fromEntries(described.arguments.map((name, at) => [name, given[at] ?? '']));
  const query = readFlags(described.query, flags);
  const missing = findMissing(described.query, query);
  if (missing) throw new UsageError(`Missing ${missing}: give it as a flag.`);
  const body = buildBody(described, flags, source);
  return { path, query, ...(body !== undefined && { body }) };
};

/** Options of the call: a write gets a key of its own, which makes it safe to repeat. */
export const buildCallOptions = ({ route }: RouteCommand, { flags }: Invocation): CallOptions => {
  if (!takesIdempotencyKey(route)) return {};
  return { idempotencyKey: (flags['idempotencyKey'] as string) ?? crypto.randomUUID() };
};
