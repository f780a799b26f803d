import type * as z from 'zod';
import type { Routes } from '../../shared/api/routes.ts';
import type { CommandWords } from './command-words.ts';

/** The routes that commands are of; what does many things at once is a part of the commands that do one. */
export type RouteName = {
  [K in keyof Routes]: Routes[K] extends { many: true } ? never : K;
}[keyof Routes];

/** The words of every route. */
export type Words = {
  readonly [K in RouteName]: CommandWords<z.output<Routes[K]['success']['schema']>>;
};
