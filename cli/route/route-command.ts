import { readPathParameters } from '../../shared/api/route-rules.ts';
import { type Route, routes } from '../../shared/api/routes.ts';
import type { CommandWords, FlagReader } from './command-words.ts';
import { type Field, readFields } from './fields.ts';
import { flagLetters, flagWords } from './flag-words.ts';
import type { RouteName } from './route-words.ts';
import { words } from './words.ts';

/** A parameter or field, as people give it. */
export interface Flag extends Field {
  /** What is typed, such as `--approved-by`. */
  readonly typed: string;
  /** The same in one letter, such as `-s`. */
  readonly short: string | undefined;
  readonly meaning: string;
  /** Reads what is typed into fields, where it is not its own field's value. */
  readonly read: FlagReader | undefined;
}

/** One operation of the route table, as a command. */
export interface RouteCommand {
  readonly name: RouteName;
  readonly route: Route;
  readonly words: CommandWords;
  /** The names of its path parameters, in order. */
  readonly arguments: readonly string[];
  readonly query: readonly Flag[];
  readonly body: readonly Flag[];
}

const findShort = (name: string): string | undefined =>
  flagLetters[name] && `-${flagLetters[name]}`;

const toFlag = (field: Field, { flags, typed, read, required }: CommandWords): Flag => ({
  ...field,
  required: field.required || required?.includes(field.name) === true,
  short: findShort(field.name),
  read: read?.[field.name],
  typed: `--${typed?.[field.name] ?? field.name.replaceAll('_', '-')}`,
  meaning: flags?.[field.name] ?? flagWords[field.name] ?? '',
});

const ownFlag = { kind: 'text', choices: undefined, required: false, nullable: false } as const;

/** A body from a file is not given by flags. Flags that stand for fields of other names come last. */
const readBodyFields = (
  { body, query }: Route,
  { body: source, hidden = [], read = {} }: CommandWords,
): Field[] => {
  if (!body || source === 'file argument') return [];
  const fields = readFields(body.schema).filter(({ name }) => !hidden.includes(name));
  const known = [...fields, ...readFields(query)].map(({ name }) => name);
  const own = Object.keys(read).filter((name) => !known.includes(name));
  return [...fields, ...own.map((name) => ({ ...ownFlag, name }))];
};

/** Describes the command of a route, from the route table and the words that people read and type. */
export const describeCommand = (name: RouteName): RouteCommand => {
  const route: Route = routes[name];
  const routeWords = words[name];
  return {
    name,
    route,
    words: routeWords,
    arguments: readPathParameters(route.path),
    query: readFields(route.query)
      .filter(({ name: field }) => !routeWords.hidden?.includes(field))
      .map((field) => toFlag(field, routeWords)),
    body: readBodyFields(route, routeWords).map((field) => toFlag(field, routeWords)),
  };
};

/** Whether the operation answers with one page of a longer list. */
export const isPaged = ({ query, words }: RouteCommand): boolean =>
  words.nextParameter !== undefined || query.some(({ name }) => name === 'offset');
