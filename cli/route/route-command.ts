import { type Route, type Routes, readPathParameters, routes } from '../../shared/routes.ts';
import { type Field, readFields } from './fields.ts';
import { type CommandWords, flagWords, words } from './words.ts';

/** A parameter or field, as people give it. */
export interface Flag extends Field {
  /** What is typed, such as `--approved-by`. */
  readonly typed: string;
  readonly meaning: string;
}

/** One operation of the route table, as a command. */
export interface RouteCommand {
  readonly name: keyof Routes;
  readonly route: Route;
  readonly words: CommandWords;
  /** The names of its path parameters, in order. */
  readonly arguments: readonly string[];
  readonly query: readonly Flag[];
  readonly body: readonly Flag[];
}

const toFlag = (field: Field, { flags, typed }: CommandWords): Flag => ({
  ...field,
  typed: `--${typed?.[field.name] ?? field.name.replaceAll('_', '-')}`,
  meaning: flags?.[field.name] ?? flagWords[field.name] ?? '',
});

/** A body from a file is not given by flags. */
const readBodyFields = ({ body }: Route, { body: source, hidden = [] }: CommandWords): Field[] =>
  body && source !== 'file argument'
    ? readFields(body.schema).filter(({ name }) => !hidden.includes(name))
    : [];

/** Describes the command of a route, from the route table and the words that people read and type. */
export const describeCommand = (name: keyof Routes): RouteCommand => {
  const route: Route = routes[name];
  const routeWords = words[name];
  return {
    name,
    route,
    words: routeWords,
    arguments: readPathParameters(route.path),
    query: readFields(route.query).map((field) => toFlag(field, routeWords)),
    body: readBodyFields(route, routeWords).map((field) => toFlag(field, routeWords)),
  };
};

/** Whether the operation answers with one page of a longer list. */
export const isPaged = ({ query, words }: RouteCommand): boolean =>
  words.nextParameter !== undefined || query.some(({ name }) => name === 'offset');
