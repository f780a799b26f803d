import type { CallOptions } from '../../shared/client/client.ts';
import type { RouteInput } from '../../shared/client/outgoing.ts';
import type { JsonObject } from '../../shared/domain/json.ts';
import { type Route, routes } from '../../shared/routes.ts';
import type { ResultList } from '../../shared/schemas/many.ts';
import { UsageError } from '../input/usage-error.ts';
import { type Batch, cutIntoBatches } from '../many/batches.ts';
import {
  type PackageFields,
  readPackageArguments,
  readPackagesFile,
  readPackageVersion,
} from '../many/read-packages.ts';
import { sendMany } from '../many/send-many.ts';
import type { Session } from '../session/session.ts';
import type { ManyWords } from './command-words.ts';
import { checkNeeds, type Invocation, readFlags } from './invocation.ts';
import type { RouteCommand } from './route-command.ts';

/** What tells one version from another: with several, each says it of itself. */
const ownFields = ['ecosystem', 'name', 'version'];

/** A package by its name alone, of which flags say the rest. */
const isPlainName = (given: readonly string[], { arguments: names }: RouteCommand): boolean =>
  names.length > 0 && given.length === 1 && given[0] !== '-' && !readPackageVersion(given[0] ?? '');

/**
 * Reads which package versions a command is given, in its arguments and in a file; none where only flags say it.
 * @throws {UsageError} for what names none
 */
export const readPackages = async (
  described: RouteCommand,
  { arguments: given, flags }: Invocation,
): Promise<PackageFields[]> => {
  const { file, from } = flags as { file?: string; from?: string };
  if (from && (file || given.length > 0)) {
    throw new UsageError('Give packages, --file or --from, and only one of these.');
  }
  if (!file && isPlainName(given, described)) return [];
  const typed = await readPackageArguments(given);
  const packages = [...typed, ...(file ? await readPackagesFile(file) : [])];
  if (packages.length === 0 && described.arguments.length > 0) {
    throw new UsageError('Give the package, or several: npm:left-pad@1.3.0, or --file.');
  }
  return packages;
};

const without = (fields: JsonObject, dropped: readonly string[]): JsonObject =>
  Object.fromEntries(Object.entries(fields).filter(([name]) => !dropped.includes(name)));

const checkAction = ({ action: said }: JsonObject, { action }: ManyWords): void => {
  if (said === undefined || said === action) return;
  throw new UsageError(`The file says ${said} of a package: registry ${said} carries that out.`);
};

/** What a request alone takes of one package version: the path and query of a route select it, the rest is its body. */
export const takeOne = (
  { route, arguments: names, words }: RouteCommand,
  { flags }: Invocation,
  fields: PackageFields,
): { readonly invocation: Invocation; readonly source: JsonObject } => {
  const { many } = words;
  if (many) checkAction(fields, many);
  const said = without(fields, [...(many?.drops ?? []), 'action']);
  if (names.length === 0) return { invocation: { arguments: [], flags }, source: said };
  const { ecosystem, name, version } = said;
  if (typeof name !== 'string') throw new UsageError(`The file names no package to ${route.id}.`);
  return {
    invocation: { arguments: [name], flags: { ecosystem, version, ...flags } },
    source: without(said, ownFields),
  };
};

const buildItem = (
  described: RouteCommand,
  many: ManyWords,
  fields: PackageFields,
  values: JsonObject,
): JsonObject => {
  checkAction(fields, many);
  const item = {
    ...without(fields, many.drops),
    ...values,
    ...(many.action && { action: many.action }),
  };
  checkNeeds(described, item);
  return item;
};

const buildBatches = (
  described: RouteCommand,
  many: ManyWords,
  packages: readonly PackageFields[],
  flags: JsonObject,
): Batch[] => {
  const own = [...described.query, ...described.body].filter(({ name }) =>
    ownFields.includes(name),
  );
  const [given] = own.filter(({ name }) => flags[name] !== undefined);
  if (given) {
    throw new UsageError(`${given.typed} is for one package; of several, each says its own.`);
  }
  const values = readFlags(described.body, flags);
  const items = packages.map((fields) => buildItem(described, many, fields, values));
  const { path } = routes[many.route];
  return cutIntoBatches(items, path, flags['idempotencyKey'] as string | undefined);
};

type Call = (input: RouteInput, options?: CallOptions) => Promise<unknown>;

/** One request for some packages, to be shown or sent. */
export interface ManyRequest {
  readonly route: Route;
  readonly input: RouteInput;
  readonly idempotencyKey: string;
}

/** Does with many package versions what the command does with one, or has `show` show the requests for it. */
export const runMany = async (
  described: RouteCommand,
  many: ManyWords,
  { packages, flags }: { readonly packages: readonly PackageFields[]; readonly flags: JsonObject },
  session: Session,
  show: (request: ManyRequest) => Promise<void>,
): Promise<void> => {
  const batches = buildBatches(described, many, packages, flags);
  const toInput = (items: readonly JsonObject[]): RouteInput => ({ body: { [many.list]: items } });
  if (flags['dryRun']) {
    for (const { items, key } of batches) {
      await show({ route: routes[many.route], input: toInput(items), idempotencyKey: key });
    }
    return;
  }
  const client: Readonly<Record<string, unknown>> = { ...session.client };
  const call = client[many.route] as Call;
  const send = async (items: readonly JsonObject[], options: CallOptions) =>
    ((await call(toInput(items), options)) as ResultList).results;
  await sendMany(batches, send, session);
};
