import { type Route, type Routes, routes } from '../shared/routes.ts';
import { type Field, fieldsOf } from './fields.ts';
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

const flagOf = (field: Field, { flags, typed }: CommandWords): Flag => ({
  ...field,
  typed: `--${typed?.[field.name] ?? field.name.replaceAll('_', '-')}`,
  meaning: flags?.[field.name] ?? flagWords[field.name] ?? '',
});

/** A body from a file is not given by flags. */
const bodyFields = ({ body }: Route, { body: source, hidden = [] }: CommandWords): Field[] =>
  body && source !== 'file argument'
    ? fieldsOf(body.schema).filter(({ name }) => !hidden.includes(name))
    : [];

export const routeCommand = (name: keyof Routes): RouteCommand => {
  const route: Route = routes[name];
  const said = words[name];
  return {
    name,
    route,
    words: said,
    arguments: [...route.path.matchAll(/\{([^}]+)\}/g)].map(([, parameter = '']) => parameter),
    query: fieldsOf(route.query).map((field) => flagOf(field, said)),
    body: bodyFields(route, said).map((field) => flagOf(field, said)),
  };
};

export const isPaged = ({ query }: RouteCommand): boolean =>
  query.some(({ name }) => name === 'offset');
