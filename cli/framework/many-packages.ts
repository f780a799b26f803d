import { Option } from 'commander';
import { routesByName } from '../../shared/api/all-routes.ts';
import {
  type CallOptions,
  type RegistryClient,
  RequestError,
} from '../../shared/api/client/client.ts';
import { isPathSegment, type RouteInput } from '../../shared/api/client/outgoing.ts';
import { ListedVersion } from '../../shared/api/schemas/listed.ts';
import type { ResultList } from '../../shared/api/schemas/many.ts';
import { PackageListItem } from '../../shared/api/schemas/package.ts';
import type { PackageId } from '../../shared/domain/packages/package-id.ts';
import { type JsonObject, omitFields } from '../../shared/util/json.ts';
import { UsageError } from '../input/usage-error.ts';
import { type Batch, cutIntoBatches } from '../many/batches.ts';
import { findItemFault } from '../many/item-fault.ts';
import {
  type PackageEntry,
  readPackageArguments,
  readPackagesFile,
} from '../many/read-packages.ts';
import { runBatches } from '../many/run-batches.ts';
import { type View, writeResult } from '../output/result.ts';
import { announce, describeStatus } from '../presentation/announce.ts';
import type { Session } from '../session/session.ts';
import { buildInput, checkItem, identityFields, readFlags } from './build-input.ts';
import type { Invocation } from './command.ts';
import { confirmDecision } from './confirm-decision.ts';
import { explainRefusal } from './explain-refusal.ts';
import { packagesDescription } from './flag-descriptions.ts';
import { checkOwnFlags, readEcosystemFlag, readNamedPackage } from './named-package.ts';
import { packagesArgument } from './positionals.ts';
import type { Call, RouteDescription } from './route-description.ts';
import type { Answer, RouteName } from './route-types.ts';
import { selectPreviewed } from './select-previewed.ts';
import { sendNamedRequest } from './send-request.ts';
import { type BodyPreview, showRequest } from './show-request.ts';

/** Returns the warning about items of which the request succeeded; undefined if there is nothing to warn of. */
type FindWarning = (done: readonly JsonObject[]) => string | undefined;

/** How a command for one package version sends many. */
export interface ManyPackages {
  readonly route: 'submitPackages' | 'decidePackages';
  /** The field of the body that lists the packages. */
  readonly list: 'packages' | 'decisions';
  /** The `action` of each item, where the route has several. */
  readonly action?: 'approve' | 'reject';
  /** Fields of listed packages that are no part of a request. */
  readonly ignoredFields: readonly string[];
  /** Reads, before anything is sent, what the user has to be warned of. */
  readonly prepareWarning?: (
    items: readonly JsonObject[],
    client: RegistryClient,
  ) => Promise<FindWarning>;
  /** Warns of the effects of what was done, unless somebody confirmed it at a terminal. */
  readonly warnOfEffects?: (done: readonly object[], session: Session) => Promise<void>;
  readonly previewBody?: BodyPreview;
  /** How people see the answer about a single package. */
  readonly view?: View;
}

/** The fields of a listed package version that neither submit nor decide it. */
export const listedFields: readonly string[] = Object.keys(ListedVersion.shape).filter(
  (field) => !(field in PackageListItem.shape),
);

/** The arguments of a command that takes any number of packages. */
export const manyPackages = [packagesArgument('[package...]', packagesDescription)] as const;

/** The option that names packages in files. */
export const packagesFile = new Option(
  '-f, --file <file>',
  'packages from a file: npm:left-pad@1.3.0 or a package URL a line, or JSON; - for standard input',
).argParser((text: string, before: readonly string[] = []): readonly string[] => [...before, text]);

/** The option that answers the question before a decision. */
export const yesOption = new Option(
  '--yes',
  'do not ask before an earlier decision is reversed, or if only a name is given',
);

/** The option that accepts a decision in force. */
export const ifNeededOption = new Option(
  '--if-needed',
  'succeed without a change if the decision is in force already, so that a script can run again',
);

/** Returns whether there is one argument, which is read as in every other command. */
const isOne = (given: readonly string[], { parameters }: RouteDescription): boolean =>
  parameters.length > 0 && given.length === 1 && given[0] !== '-';

/**
 * Reads the package versions in arguments and files; none if flags name the package, or if there is one argument.
 * @throws {UsageError} for text that is no package version
 */
const readPackages = async (
  described: RouteDescription,
  { arguments: given, flags }: Invocation,
): Promise<PackageEntry[]> => {
  const { file: files = [], from } = flags as { file?: readonly string[]; from?: string };
  if (from && (files.length > 0 || given.length > 0)) {
    throw new UsageError('Give only one of packages, --file and --from.');
  }
  if (files.length === 0 && isOne(given, described)) return [];
  const known = readEcosystemFlag(flags);
  const packages = await readPackageArguments(given, known);
  for (const file of files) packages.push(...(await readPackagesFile(file, known)));
  if (packages.length === 0 && described.parameters.length > 0) {
    throw new UsageError('Give packages such as npm:left-pad@1.3.0, or --file.');
  }
  return packages;
};

const checkAction = (
  { fields: { action: listed }, place }: PackageEntry,
  { action }: Pick<ManyPackages, 'action'>,
): void => {
  if (listed === undefined || listed === action) return;
  throw new UsageError(`${place}the action is ${listed}: use registry ${listed}.`);
};

const checkFlags = ({ fields, place }: PackageEntry, flags: JsonObject): void =>
  checkOwnFlags({ ...fields, ecosystem: fields['ecosystem'] ?? fields['type'] }, flags, place);

const readText = ({ fields, place }: PackageEntry, field: string): string => {
  const value = fields[field];
  if (typeof value === 'string' && isPathSegment(value)) return value;
  const fault = value === undefined ? 'is missing' : `is ${JSON.stringify(value)}`;
  throw new UsageError(`${place}${field} ${fault}: it must be non-empty text.`);
};

/** Splits an entry for a request of its own: identity for the path and query, other fields for the body. */
export const takeOne = (
  { parameters }: RouteDescription,
  { ignoredFields, ...many }: Pick<ManyPackages, 'ignoredFields' | 'action'>,
  { flags }: Invocation,
  entry: PackageEntry,
): { readonly invocation: Invocation; readonly body: JsonObject } => {
  checkAction(entry, many);
  checkFlags(entry, flags);
  const fields = omitFields(entry.fields, [...ignoredFields, 'action']);
  if (parameters.length === 0) return { invocation: { arguments: [], flags }, body: fields };
  const ecosystem = readText(entry, 'ecosystem');
  const name = readText(entry, 'name');
  const version = readText(entry, 'version');
  return {
    invocation: { arguments: [name], flags: { ...flags, ecosystem, version } },
    body: omitFields(fields, identityFields),
  };
};

const buildItem = (
  described: RouteDescription,
  many: ManyPackages,
  entry: PackageEntry,
  flags: JsonObject,
): JsonObject => {
  checkAction(entry, many);
  checkFlags(entry, flags);
  const { ecosystem: _, ...values } = readFlags(described.body, flags);
  const { ecosystem } = flags;
  const item = {
    ...(ecosystem !== undefined && entry.fields['type'] === undefined && { ecosystem }),
    ...omitFields(entry.fields, many.ignoredFields),
    ...values,
    ...(many.action && { action: many.action }),
  };
  const fault = findItemFault(item);
  if (fault) throw new UsageError(`${entry.place}it ${fault}.`);
  checkItem(described, item);
  return item;
};

/** Fields that differ for each package version. */
const ofOnePackage = ['name', 'version', 'expected_evidence_version'];

const buildBatches = (
  described: RouteDescription,
  many: ManyPackages,
  packages: readonly PackageEntry[],
  flags: JsonObject,
): Batch[] => {
  const given = [...described.query, ...described.body].find(
    (flag) => ofOnePackage.includes(flag.name) && Object.keys(readFlags([flag], flags)).length > 0,
  );
  if (given) {
    throw new UsageError(
      `${given.typed} is for one package. With several, write it with each package.`,
    );
  }
  const items = packages.map((entry) => buildItem(described, many, entry, flags));
  const { path } = routesByName[many.route];
  return cutIntoBatches(items, path, flags['idempotencyKey'] as string | undefined);
};

type Operation = (input: RouteInput, options?: CallOptions) => Promise<unknown>;

/** Lists the codes of refusals that are no failure. */
const listAccepted = ({ ifNeeded }: JsonObject): readonly string[] =>
  ifNeeded ? ['decision_in_force'] : [];

/**
 * Returns whether a repeated command sends its items again under new keys, and the advice where it does not. A repeated
 * submission changes nothing, and a key of the user replays its answers.
 */
const chooseRepetition = ({ action }: ManyPackages, { idempotencyKey }: JsonObject) => {
  if (idempotencyKey !== undefined) return { sendsAgain: false, advice: '' };
  const advice = ': --idempotency-key with a word of your own sends them again';
  return { sendsAgain: action !== undefined, advice };
};

/** Sends many package versions, or shows the requests with `--dry-run`. */
const sendMany = async (
  { described, flags, session }: Call,
  many: ManyPackages,
  packages: readonly PackageEntry[],
): Promise<void> => {
  const batches = buildBatches(described, many, packages, flags);
  const route = routesByName[many.route];
  const toInput = (items: readonly JsonObject[]): RouteInput => ({ body: { [many.list]: items } });
  if (flags['dryRun']) {
    for (const { items, key } of batches) {
      const request = { route, input: toInput(items), options: { idempotencyKey: key } };
      await showRequest(request, session);
    }
    return;
  }
  const client: Readonly<Record<string, unknown>> = { ...session.client };
  const operation = client[many.route] as Operation;
  const send = async (items: readonly JsonObject[], options: CallOptions) =>
    ((await operation(toInput(items), options)) as ResultList).results;
  const items = batches.flatMap((batch) => batch.items);
  const findWarning = await many.prepareWarning?.(items, session.client);
  const accepted = listAccepted(flags);
  const repetition = chooseRepetition(many, flags);
  await runBatches(batches, send, session, {
    ...{ ...repetition, accepted, findWarning },
    warnOfEffects: many.warnOfEffects,
  });
};

const isAccepted = (error: unknown, flags: JsonObject): boolean =>
  error instanceof RequestError && listAccepted(flags).includes(error.code);

/** Shows the version whose decision was in force already. */
const showInForce = async <Name extends RouteName>(call: Call<Name>): Promise<Answer<Name>> => {
  const { flags, session } = call;
  const [name = ''] = call.arguments;
  const { ecosystem, version } = flags as Partial<PackageId>;
  const query = { ...(ecosystem && { ecosystem }), ...(version && { version }) };
  const detail = await session.client.showPackage({ path: { name }, query });
  const { terminal, format } = session;
  writeResult(detail, terminal, { ...announce(session, describeStatus), format });
  return detail as Answer<Name>;
};

/**
 * Runs a command for the packages in its arguments and files: one in a request of its own, several in batches.
 * @returns the answer about a single package
 */
export const runForPackages = async <Name extends RouteName>(
  call: Call<Name>,
  many: ManyPackages,
): Promise<Answer<Name> | undefined> => {
  const { action, previewBody, view = call.described.view } = many;
  const given = await readPackages(call.described, call);
  const packages = selectPreviewed(given, action, call.session.terminal);
  const [first, ...others] = packages;
  const confirm = (decision: 'approve' | 'reject', invocation: Invocation) =>
    confirmDecision(decision, invocation, call.session).catch(async (error: unknown) => {
      throw await explainRefusal(error, call, invocation);
    });
  const send = async (invocation: Invocation, body?: JsonObject) => {
    const one = { ...call, ...invocation };
    try {
      // A mistake in the flags is reported before a question.
      if (action) buildInput(call.described, one, body ?? {});
      const confirmed = action && (await confirm(action, invocation));
      const fields = confirmed || body ? { ...confirmed?.body, ...body } : undefined;
      const flags = { ...one.flags, ...confirmed?.flags };
      const answer = await sendNamedRequest({ ...one, flags }, { body: fields, previewBody, view });
      if (answer && !confirmed) await many.warnOfEffects?.([answer], call.session);
      return answer;
    } catch (error) {
      if (isAccepted(error, call.flags)) return showInForce(one);
      throw error;
    }
  };
  if (!first) return send(readNamedPackage(call.described, call));
  if (others.length > 0) {
    await sendMany(call, many, packages);
    return undefined;
  }
  const { invocation, body } = takeOne(call.described, many, call, first);
  return send(invocation, body);
};
