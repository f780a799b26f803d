import type * as z from 'zod';
import type { Routes } from '../../shared/api/all-routes.ts';
import type { AnswerOf } from '../../shared/api/route.ts';

/** The routes that have a command. A route for many items is part of the command for one item. */
export type RouteName = {
  [Name in keyof Routes]: Routes[Name] extends { many: true } ? never : Name;
}[keyof Routes];

/** The answer of a route. */
export type Answer<Name extends RouteName> = AnswerOf<Routes[Name]>;

/** The rows of an answer that is a list. */
export type Row<Name extends RouteName> = {
  [Field in keyof Answer<Name>]: Answer<Name>[Field] extends readonly (infer R extends object)[]
    ? R
    : never;
}[keyof Answer<Name>];

type KeysOfEach<T> = T extends unknown ? Extract<keyof T, string> : never;

type BodyField<Name extends RouteName> = Routes[Name] extends { body: { schema: infer Schema } }
  ? KeysOfEach<z.input<Schema>>
  : never;

/** The names of the query parameters and of the body's fields of a route. */
export type FieldName<Name extends RouteName> =
  | KeysOfEach<z.input<Routes[Name]['query']>>
  | BodyField<Name>;
