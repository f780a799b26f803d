import type { Argument, Option } from 'commander';
import type { Routes } from '../../shared/api/all-routes.ts';
import type { PathParameter } from '../../shared/api/route.ts';
import { isProtected, takesIdempotencyKey } from '../../shared/api/route-rules.ts';
import type { JsonObject } from '../../shared/util/json.ts';
import type { View } from '../output/result.ts';
import type { BodySource } from './body-source.ts';
import type { CliCommand } from './command.ts';
import { allPagesOption, type FlagDefinition, toOptions, writeOptions } from './flag-options.ts';
import { toPathArguments } from './positionals.ts';
import { type Call, type CompleteRows, describeRoute, isPaged } from './route-description.ts';
import type { Answer, FieldName, RouteName, Row } from './route-types.ts';
import { sendRequest } from './send-request.ts';

/** The command of one route. All that it leaves out follows from the route. */
export interface CommandDefinition<Name extends RouteName> {
  /** What is typed after `registry`, such as `scan show`. */
  readonly name: string;
  readonly aliases?: readonly string[];
  /** The summary of the route unless given. */
  readonly summary?: string;
  /** Complete command lines without the leading `registry`. */
  readonly examples: readonly string[];
  /** Descriptions of path parameters. One without a description is a package. */
  readonly arguments?: { readonly [P in PathParameter<Routes[Name]['path']>]?: string };
  /** The positional arguments, in place of one for each path parameter. */
  readonly positionals?: readonly Argument[];
  readonly flags?: { readonly [F in FieldName<Name>]?: FlagDefinition };
  /** Options besides the flags that follow from the route. */
  readonly options?: readonly Option[];
  /** Where the body comes from, if not from flags alone. */
  readonly body?: BodySource;
  /** How people see the answer. Programs get all of it. */
  readonly view?: View<Answer<Name>, Row<Name>>;
  /** Makes the function that adds fields to the rows of a list, by further requests. The command then sends the token. */
  readonly completeRows?: CompleteRows;
  /** Whether the command writes; it does unless given if the route needs a token. */
  readonly writes?: (flags: JsonObject) => boolean;
  /** Runs the command; sends one request and shows the answer unless given. */
  readonly run?: (call: Call<Name>) => Promise<void>;
}

/**
 * Defines the command of a route. The route decides what the definition leaves out: the summary, an argument for each path
 * parameter, a flag for each query parameter and each field of the body, the options for pages and writes, one request, and
 * a table or a list of fields for its answer.
 *
 * @example defineCommand('showPackage', { name: 'show', examples: ['show lodash'] })
 */
export const defineCommand = <Name extends RouteName>(
  routeName: Name,
  definition: CommandDefinition<Name>,
): CliCommand => {
  const { name, aliases = [], examples, positionals, options = [], run } = definition;
  const described = describeRoute(routeName, definition);
  const { route, parameters, query, body, source } = described;
  const writes =
    definition.writes ?? (() => isProtected(route) || definition.completeRows !== undefined);
  return {
    ...{ name, aliases, examples },
    summary: definition.summary ?? route.summary,
    arguments: [
      ...(positionals ?? toPathArguments(parameters, definition.arguments ?? {})),
      ...(source?.arguments ?? []),
    ],
    options: [
      ...(source?.options ?? []),
      ...toOptions([...query, ...body]),
      ...options,
      ...(isPaged(described) ? [allPagesOption] : []),
      ...(takesIdempotencyKey(route) ? writeOptions : []),
    ],
    run: async (invocation, { environment, openSession }) => {
      const session = openSession({ writes: writes(invocation.flags) });
      const call = { ...invocation, routeName, described, session, environment };
      await (run ? run(call) : sendRequest(call));
    },
  };
};
