import { Argument, type Command, InvalidArgumentError, Option } from 'commander';
import type { CallOptions } from '../shared/client/client.ts';
import type { RouteInput } from '../shared/client/outgoing.ts';
import { type Route, type Routes, routes } from '../shared/routes.ts';
import { type Field, fieldsOf } from './fields.ts';
import { UsageError } from './usage-error.ts';
import { type CommandWords, flagWords, packageArgument, words } from './words.ts';

type Values = Readonly<Record<string, unknown>>;

/** One operation of the route table, as a command. */
export interface RouteCommand {
  readonly name: keyof Routes;
  readonly route: Route;
  readonly words: CommandWords;
  readonly query: readonly Field[];
  readonly body: readonly Field[];
}

/** What a command line asks of an operation. */
export interface Invocation {
  readonly arguments: readonly string[];
  readonly flags: Values;
}

export const routeCommand = (name: keyof Routes): RouteCommand => {
  const route: Route = routes[name];
  const hidden = words[name].hidden ?? [];
  const hasFlags = words[name].body !== 'file argument';
  const body = route.body && hasFlags ? fieldsOf(route.body.schema) : [];
  return {
    name,
    route,
    words: words[name],
    query: fieldsOf(route.query),
    body: body.filter((field) => !hidden.includes(field.name)),
  };
};

const pathNames = ({ path }: Route): string[] =>
  [...path.matchAll(/\{([^}]+)\}/g)].map(([, name = '']) => name);

export const isPaged = ({ query }: RouteCommand): boolean =>
  query.some(({ name }) => name === 'offset');

/** Names that a URL would lose. */
const pathArgument = (text: string): string => {
  if (['', '.', '..'].includes(text)) throw new InvalidArgumentError('It names nothing.');
  return text;
};

export const wholeNumber = (text: string): number => {
  if (!/^[0-9]+$/.test(text)) throw new InvalidArgumentError('It must be a whole number.');
  return Number(text);
};

const optionOf = ({ name, kind, choices }: Field, { flags }: CommandWords): Option => {
  const flag = `--${name.replaceAll('_', '-')}`;
  const meaning = flags?.[name] ?? flagWords[name] ?? '';
  const option = new Option(kind === 'flag' ? flag : `${flag} <${kind}>`, meaning);
  if (choices) option.choices(choices);
  if (kind === 'number') option.argParser(wholeNumber);
  return option;
};

const fileWords = 'take the request from a JSON file, - for standard input; flags go before it';

const addBodySource = (command: Command, { body }: CommandWords): void => {
  if (body === 'file argument') {
    command.addArgument(new Argument('<file>', 'a JSON file, - for standard input'));
  } else if (body) command.option('--file <file>', fileWords);
  if (body === 'manifest or file option') {
    const manifests = 'a package.json, pyproject.toml or pom.xml, or its folder';
    command.option('--from <path>', `take what there is from ${manifests}`);
  }
};

/** Declares what the command takes: path parameters, then flags for parameters and fields. */
export const declare = (command: Command, described: RouteCommand): void => {
  const { route, words: said, query, body } = described;
  for (const name of pathNames(route)) {
    const meaning = said.arguments?.[name] ?? packageArgument;
    command.addArgument(new Argument(`<${name}>`, meaning).argParser(pathArgument));
  }
  addBodySource(command, said);
  for (const field of [...query, ...body]) command.addOption(optionOf(field, said));
  if (isPaged(described)) command.option('--all', 'read every page');
  if (!route.protected) return;
  command.option('--dry-run', 'show the request and send nothing');
  command.option('--idempotency-key <key>', 'the same request with it is carried out only once');
};

const valuesOf = (fields: readonly Field[], flags: Values): Values =>
  Object.fromEntries(
    fields.flatMap((field) => {
      const value = flags[optionOf(field, { command: '', examples: [] }).attributeName()];
      return value === undefined ? [] : [[field.name, value]];
    }),
  );

const checkRequired = (fields: readonly Field[], body: Values): void => {
  const missing = fields.filter(({ name, required }) => required && body[name] === undefined);
  if (missing.length === 0) return;
  const flags = missing.map(({ name }) => `--${name.replaceAll('_', '-')}`).join(', ');
  throw new UsageError(`Missing ${flags}: give each as a flag, or all by --file or --from.`);
};

/** Flags go before what the body's source says. An optional body without anything in it is left out. */
const bodyOf = ({ route, body: fields }: RouteCommand, flags: Values, source: unknown): unknown => {
  if (!route.body) return undefined;
  if (fields.length === 0) return source;
  const body = { ...(source as object), ...valuesOf(fields, flags) };
  checkRequired(fields, body);
  return route.body.optional && Object.keys(body).length === 0 ? undefined : body;
};

/** What the operation is given. */
export const inputOf = (
  described: RouteCommand,
  { arguments: given, flags }: Invocation,
  source: unknown,
): RouteInput => {
  const { route, query } = described;
  const path = Object.fromEntries(pathNames(route).map((name, at) => [name, given[at] ?? '']));
  const body = bodyOf(described, flags, source);
  return { path, query: valuesOf(query, flags), ...(body !== undefined && { body }) };
};

/** A key of its own makes a write safe to repeat. */
export const callOptionsOf = ({ route }: RouteCommand, { flags }: Invocation): CallOptions => {
  if (!route.protected) return {};
  return { idempotencyKey: (flags['idempotencyKey'] as string) ?? crypto.randomUUID() };
};
