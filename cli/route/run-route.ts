import { Option } from 'commander';
import type { CallOptions } from '../../shared/api/client/client.ts';
import { buildRequest, type RouteInput } from '../../shared/api/client/outgoing.ts';
import { isObject, type JsonObject } from '../../shared/util/json.ts';
import { JudgedError } from '../failure/judged-error.ts';
import { UsageError } from '../input/usage-error.ts';
import { fillUp, joinPages, readPages } from '../many/paging.ts';
import { formatDetails } from '../output/details.ts';
import { writeResult, writeRows } from '../output/result.ts';
import { toOneLine } from '../output/text.ts';
import type { Session } from '../session/session.ts';
import { readBodySource } from './body-source.ts';
import type { CommandWords } from './command-words.ts';
import { buildCallOptions, buildInput, type Invocation } from './invocation.ts';
import { type ManyRequest, readPackages, runMany, takeOne } from './many-packages.ts';
import { readBodyPackage, readNamedPackage } from './named-package.ts';
import { isPaged, type RouteCommand } from './route-command.ts';
import { areSeveral, showSeveral } from './show-several.ts';

type Call = (input: RouteInput, options?: CallOptions) => Promise<unknown>;

/** What an operation is called with. */
interface Request {
  readonly input: RouteInput;
  readonly options: CallOptions;
  readonly flags: JsonObject;
}

/** Shows the request and does not send it. A token is only mentioned. */
const showRequest = async (
  { route, words }: Pick<RouteCommand, 'route'> & { readonly words: Pick<CommandWords, 'foresee'> },
  { input, options }: Request,
  { settings, format, terminal }: Session,
): Promise<void> => {
  const { method, url, headers } = buildRequest(settings.url.value, route, input);
  const allHeaders = {
    ...headers,
    ...(settings.token && { 'X-API-Key': `(from ${settings.token.source})` }),
    'Idempotency-Key': options.idempotencyKey,
  };
  const foreseen = isObject(input.body) ? await words.foresee?.(input.body) : undefined;
  if (format !== 'people') {
    const document = { method, url, headers: allHeaders, body: input.body ?? null, ...foreseen };
    writeResult(document, terminal, { format });
    return;
  }
  const lines = Object.entries(allHeaders).map(([name, value]) => `${name}: ${value}`);
  const body = input.body === undefined ? [] : ['', JSON.stringify(input.body, null, 2)];
  terminal.out.write(`${[`${method} ${url}`, ...lines, ...body].join('\n')}\n`);
  const details = formatDetails(foreseen ?? {}, terminal.err);
  if (details.length > 0) terminal.err.write(`\n${details.join('\n')}\n`);
};

const writeAllPages = async (
  { name, words }: RouteCommand,
  input: RouteInput,
  { client, format, terminal }: Session,
): Promise<void> => {
  const list = { readPage: client[name] as Call, nextParameter: words.nextParameter };
  const pages = readPages(list, input, terminal);
  if (format === 'jsonl') {
    for await (const { rows } of pages) writeRows(rows, terminal.out, { format });
  } else writeResult(await joinPages(pages), terminal, { format, ...words });
};

/**
 * Holds an answer against what a flag asks of it.
 * @throws {JudgedError} if it is not good enough
 */
const judgeAnswer = ({ judge }: CommandWords, answer: object, flags: JsonObject): void => {
  if (!judge) return;
  const given = flags[new Option(judge.flag).attributeName()];
  const fault = typeof given === 'string' ? judge.findFault(answer, given) : undefined;
  if (fault) throw new JudgedError(fault);
};

const writeAnswer = async (
  described: RouteCommand,
  { input, options, flags }: Request,
  { client, settings, format, terminal }: Session,
): Promise<void> => {
  const { name, words } = described;
  const call = client[name] as Call;
  const first = (await call(input, options)) as object;
  const answer = isPaged(described) ? await fillUp({ readPage: call }, input, first) : first;
  const presented = words.present?.(answer, settings) ?? answer;
  writeResult(presented, terminal, { format, ...words });
  judgeAnswer(words, answer, flags);
  const warning = await words.warn?.(answer, client);
  if (warning) terminal.warn(toOneLine(warning));
};

/**
 * Has people see the columns that they chose of a list, and the registry asked for no more than these need.
 * @throws {UsageError} where programs read it: they choose by themselves
 */
const applyTable = (
  described: RouteCommand,
  request: Request,
  { format, terminal }: Session,
): readonly [RouteCommand, Request] => {
  const { table } = described.words;
  const { input, flags } = request;
  const chosen = flags['columns'] as readonly string[] | undefined;
  if (format !== 'people') {
    if (chosen) throw new UsageError('--columns is for tables: --json and --jsonl have all.');
    return [described, request];
  }
  if (!table) return [described, request];
  const names = chosen ?? table.byDefault;
  const forPeople = (row: object) => table.toRow(row, names, terminal.out);
  const query = { ...table.toQuery(names), ...input.query };
  return [
    { ...described, words: { ...described.words, forPeople } },
    { ...request, input: { ...input, query } },
  ];
};

/** Carries out the many requests that an option stands for in place of arguments; resolves to whether it was given. */
const runInBulk = async (
  { arguments: names, words: { bodyPackage, bulk, many } }: RouteCommand,
  { arguments: given, flags }: Invocation,
  session: Session,
): Promise<boolean> => {
  if (!bulk) return false;
  const isGiven = given.some((argument) => argument !== undefined);
  const isBulk = flags[bulk.option] !== undefined;
  // Without arguments, a command for many packages may read them from a file.
  if (isBulk && isGiven) {
    const leftOut = given.filter((argument) => argument !== undefined).join(' ');
    const refused = [...(bodyPackage ? ['package'] : []), ...names.map((name) => `<${name}>`)];
    throw new UsageError(
      `--${bulk.option} takes no ${refused.join(' and no ')}: leave out ${leftOut}.`,
    );
  }
  if (!isGiven && !isBulk && !many) {
    throw new UsageError(`Give ${names.map((name) => `<${name}>`).join(' ')} or --${bulk.option}.`);
  }
  if (isBulk) await bulk.run(flags, session);
  return isBulk;
};

/** Carries out one operation once. `said` is what its body says besides flags, if that is known already. */
const runOne = async (
  described: RouteCommand,
  invocation: Invocation,
  session: Session,
  said?: JsonObject,
): Promise<void> => {
  const { words } = described;
  const given = said ?? (await readBodySource(words, invocation));
  const source = words.fit ? await words.fit(given, session.terminal.warn) : given;
  const input = buildInput(described, invocation, source);
  const options = buildCallOptions(described, invocation);
  const { flags } = invocation;
  const [shown, request] = applyTable(described, { input, options, flags }, session);
  const { dryRun, all, follow } = flags;
  if (follow && all) {
    throw new UsageError('Give --all or --follow: --follow --after 0 begins with the first.');
  }
  if (words.run) await words.run(input, session);
  else if (follow) await words.follow?.(input, session);
  else if (dryRun) await showRequest(described, request, session);
  else if (isPaged(shown) && all) await writeAllPages(shown, request.input, session);
  else await writeAnswer(shown, request, session);
};

/** Carries out one operation as a command asks for it, and writes what comes of it. */
export const runRoute = async (
  described: RouteCommand,
  invocation: Invocation,
  session: Session,
): Promise<void> => {
  if (await runInBulk(described, invocation, session)) return;
  const { many, several } = described.words;
  if (several && areSeveral(invocation.arguments)) {
    const read = session.client[described.name] as (input: RouteInput) => Promise<object>;
    return showSeveral({ ...described, called: several }, invocation, session, read);
  }
  const runNamed = () => {
    const about = readBodyPackage(described, invocation);
    return runOne(described, readNamedPackage(described, invocation), session, about);
  };
  if (!many) return runNamed();
  const packages = await readPackages(described, invocation);
  const [first, second] = packages;
  if (first && second) {
    const { flags } = invocation;
    const show = ({ route, input, idempotencyKey }: ManyRequest) =>
      showRequest({ route, words: {} }, { input, options: { idempotencyKey }, flags }, session);
    return runMany(described, many, { packages, flags }, session, show);
  }
  if (!first) return runNamed();
  const one = takeOne(described, many, invocation, first);
  return runOne(described, one.invocation, session, one.source);
};
