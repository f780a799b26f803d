import type { CallOptions } from '../shared/client/client.ts';
import type { RouteInput } from '../shared/client/outgoing.ts';
import { optionOf } from './declaration.ts';
import type { Flag, RouteCommand } from './route-command.ts';
import { UsageError } from './usage-error.ts';
import type { CommandWords } from './words.ts';

type Values = Readonly<Record<string, unknown>>;

/** What a command line asks of an operation. */
export interface Invocation {
  readonly arguments: readonly string[];
  readonly flags: Values;
}

const flagValue = (flag: Flag, flags: Values): unknown => {
  const value = flags[optionOf(flag).attributeName()];
  return flag.nullable && value === 'null' ? null : value;
};

const valuesOf = (known: readonly Flag[], flags: Values): Values =>
  Object.fromEntries(
    known
      .map((flag) => [flag.name, flagValue(flag, flags)] as const)
      .filter(([, value]) => value !== undefined),
  );

const sources: Readonly<Record<NonNullable<CommandWords['body']> | 'flags', string>> = {
  flags: '',
  'file argument': '',
  'file option': ', or by --file',
  'manifest or file option': ', or by --file or --from',
};

const checkRequired = ({ body, words }: RouteCommand, values: Values, flags: Values): void => {
  const missing = body.filter(({ name, required }) => required && values[name] === undefined);
  if (missing.length === 0) return;
  const typed = missing.map((flag) => flag.typed).join(', ');
  throw new UsageError(
    flags['from']
      ? `Missing ${typed}: ${flags['from']} does not say it, or says that it is dynamic. Add ${typed}.`
      : `Missing ${typed}: give it as a flag${sources[words.body ?? 'flags']}.`,
  );
};

const checkNeeds = ({ body, words }: RouteCommand, values: Values): void => {
  const typed = (field: string) => body.find(({ name }) => name === field)?.typed;
  for (const [field, other] of Object.entries(words.needs ?? {})) {
    if (!values[field] || values[other]) continue;
    throw new UsageError(`${typed(field)} needs ${typed(other)}.`);
  }
};

/** Flags go before what the body's source says. An optional body without anything in it is left out. */
const bodyOf = (described: RouteCommand, flags: Values, source: unknown): unknown => {
  const { route, body } = described;
  if (!route.body) return undefined;
  if (body.length === 0) return source;
  const values = { ...(source as object), ...valuesOf(body, flags) };
  checkRequired(described, values, flags);
  checkNeeds(described, values);
  return route.body.optional && Object.keys(values).length === 0 ? undefined : values;
};

/** What the operation is given. */
export const inputOf = (
  described: RouteCommand,
  { arguments: given, flags }: Invocation,
  source: unknown,
): RouteInput => {
  const path = Object.fromEntries(described.arguments.map((name, at) => [name, given[at] ?? '']));
  const body = bodyOf(described, flags, source);
  return { path, query: valuesOf(described.query, flags), ...(body !== undefined && { body }) };
};

/** A key of its own makes a write safe to repeat. */
export const callOptionsOf = ({ route }: RouteCommand, { flags }: Invocation): CallOptions => {
  if (!route.protected) return {};
  return { idempotencyKey: (flags['idempotencyKey'] as string) ?? crypto.randomUUID() };
};
