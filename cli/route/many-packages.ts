import type { CallOptions } from '../../shared/api/client/client.ts';
import { isPathSegment, type RouteInput } from '../../shared/api/client/outgoing.ts';
import { type Route, routes } from '../../shared/api/routes.ts';
import type { ResultList } from '../../shared/api/schemas/many.ts';
import type { JsonObject } from '../../shared/util/json.ts';
import { UsageError } from '../input/usage-error.ts';
import { type Batch, cutIntoBatches } from '../many/batches.ts';
import { findItemFault } from '../many/item-fault.ts';
import {
  type PackageEntry,
  readPackageArguments,
  readPackagesFile,
} from '../many/read-packages.ts';
import { runBatches } from '../many/run-batches.ts';
import type { Session } from '../session/session.ts';
import type { ManyWords } from './command-words.ts';
import { checkItem, type Invocation, ownFields, readFlags } from './invocation.ts';
import { checkOwnFlags, readEcosystemFlag } from './named-package.ts';
import type { RouteCommand } from './route-command.ts';

/** One package alone, which is read as every command reads it. */
const isOne = (given: readonly string[], { arguments: names }: RouteCommand): boolean =>
  names.length > 0 && given.length === 1 && given[0] !== '-';

/**
 * Reads which package versions a command is given, in its arguments and in a file; none where flags say it, or it is one alone.
 * @throws {UsageError} for what names none
 */
export const readPackages = async (
  described: RouteCommand,
  { arguments: given, flags }: Invocation,
): Promise<PackageEntry[]> => {
  const { file: files = [], from } = flags as { file?: readonly string[]; from?: string };
  if (from && (files.length > 0 || given.length > 0)) {
    throw new UsageError('Give packages, --file or --from, and only one of these.');
  }
  if (files.length === 0 && isOne(given, described)) return [];
  const known = readEcosystemFlag(flags);
  const packages = await readPackageArguments(given, known);
  for (const file of files) packages.push(...(await readPackagesFile(file, known)));
  if (packages.length === 0 && described.arguments.length > 0) {
    throw new UsageError('Give the package, or several: npm:left-pad@1.3.0, or --file.');
  }
  return packages;
};

const without = (fields: JsonObject, dropped: readonly string[]): JsonObject =>
  Object.fromEntries(Object.entries(fields).filter(([name]) => !dropped.includes(name)));

const checkAction = (
  { fields: { action: said }, place }: PackageEntry,
  { action }: Pick<ManyWords, 'action'>,
): void => {
  if (said === undefined || said === action) return;
  throw new UsageError(`${place}this says ${said}: registry ${said} carries that out.`);
};

const checkFlags = ({ fields, place }: PackageEntry, flags: JsonObject): void =>
  checkOwnFlags({ ...fields, ecosystem: fields['ecosystem'] ?? fields['type'] }, flags, place);

const readText = ({ fields, place }: PackageEntry, field: string): string => {
  const value = fields[field];
  if (typeof value === 'string' && isPathSegment(value)) return value;
  const fault = value === undefined ? 'is missing' : `is ${JSON.stringify(value)}`;
  throw new UsageError(`${place}${field} ${fault}: it must be text that names something.`);
};

/** What a request alone takes of one package version: the path and query of a route select it, the rest is its body. */
export const takeOne = (
  { arguments: names }: RouteCommand,
  { drops, ...many }: Pick<ManyWords, 'drops' | 'action'>,
  { flags }: Invocation,
  entry: PackageEntry,
): { readonly invocation: Invocation; readonly source: JsonObject } => {
  checkAction(entry, many);
  checkFlags(entry, flags);
  const said = without(entry.fields, [...drops, 'action']);
  if (names.length === 0) return { invocation: { arguments: [], flags }, source: said };
  const ecosystem = readText(entry, 'ecosystem');
  const name = readText(entry, 'name');
  const version = readText(entry, 'version');
  return {
    invocation: { arguments: [name], flags: { ...flags, ecosystem, version } },
    source: without(said, ownFields),
  };
};

const buildItem = (
  described: RouteCommand,
  many: ManyWords,
  entry: PackageEntry,
  flags: JsonObject,
): JsonObject => {
  checkAction(entry, many);
  checkFlags(entry, flags);
  const { ecosystem: _, ...values } = readFlags(described.body, flags);
  const { ecosystem } = flags;
  const item = {
    ...(ecosystem !== undefined && entry.fields['type'] === undefined && { ecosystem }),
    ...without(entry.fields, many.drops),
    ...values,
    ...(many.action && { action: many.action }),
  };
  const fault = findItemFault(item);
  if (fault) throw new UsageError(`${entry.place}this ${fault}.`);
  checkItem(described, item);
  return item;
};

/** Fields that say something of one package version alone. */
const ofOnePackage = ['name', 'version', 'expected_evidence_version'];

const buildBatches = (
  described: RouteCommand,
  many: ManyWords,
  packages: readonly PackageEntry[],
  flags: JsonObject,
): Batch[] => {
  const given = [...described.query, ...described.body].find(
    (flag) => ofOnePackage.includes(flag.name) && Object.keys(readFlags([flag], flags)).length > 0,
  );
  if (given) {
    throw new UsageError(`${given.typed} is for one package; of several, each says its own.`);
  }
  const items = packages.map((entry) => buildItem(described, many, entry, flags));
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

/** A key of the user's own asks for its answers. To submit the same again does nothing, and does no harm either. */
const readMemory = ({ action }: ManyWords, { idempotencyKey }: JsonObject) => {
  if (idempotencyKey !== undefined) return { asksAnew: false, advice: '' };
  const advice = ': --idempotency-key with a word of your own asks anew';
  return { asksAnew: action !== undefined, advice };
};

/** Does with many package versions what the command does with one, or has `show` show the requests for it. */
export const runMany = async (
  described: RouteCommand,
  many: ManyWords,
  { packages, flags }: { readonly packages: readonly PackageEntry[]; readonly flags: JsonObject },
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
  const items = batches.flatMap((batch) => batch.items);
  const findWarning = await many.watch?.(items, session.client);
  await runBatches(batches, send, session, { ...readMemory(many, flags), findWarning });
};
