import type { CallOptions } from '../../shared/api/client/client.ts';
import type { RouteInput } from '../../shared/api/client/outgoing.ts';
import type { JsonObject } from '../../shared/util/json.ts';
import { fillUp, joinPages, readPages } from '../many/paging.ts';
import { toPage } from '../output/page.ts';
import { type Appearance, isByRow, type View, writeResult, writeRows } from '../output/result.ts';
import { buildCallOptions, buildInput } from './build-input.ts';
import { explainRefusal } from './explain-refusal.ts';
import { readNamedPackage } from './named-package.ts';
import { type Call, type CompleteRows, isPaged } from './route-description.ts';
import type { Answer, RouteName } from './route-types.ts';
import { type BodyPreview, showRequest } from './show-request.ts';

type Operation = (input: RouteInput, options?: CallOptions) => Promise<unknown>;

/** What a command adds to the request and the output that follow from its route. */
interface Additions {
  /** The body, or fields of it that flags override; the command's body source is read unless given. */
  readonly body?: unknown;
  /** Query parameters besides those that flags set. */
  readonly query?: JsonObject;
  readonly view?: View;
  /** Explains the body with `--dry-run`. */
  readonly previewBody?: BodyPreview | undefined;
}

/** Sends the request of a command, and explains a refusal in terms of the command. */
export const callOperation = async <Name extends RouteName>(
  call: Call<Name>,
  input: RouteInput,
  options?: CallOptions,
): Promise<Answer<Name>> => {
  const operation = call.session.client[call.routeName] as Operation;
  try {
    return (await operation(input, options)) as Answer<Name>;
  } catch (error) {
    throw await explainRefusal(error, call, call);
  }
};

type Complete = ReturnType<CompleteRows>;

const unchanged: Complete = async (rows) => rows;

/** Returns an answer with completed rows, if it is a list. */
const completeAnswer = async <T extends object>(answer: T, complete: Complete): Promise<T> => {
  const page = toPage(answer);
  return page ? { ...answer, [page.key]: await complete(page.rows) } : answer;
};

/** Query parameters that select no entries of a list. */
const neutralParameters = ['limit', 'offset', 'last', 'sort', 'view'];

const writeAllPages = async (
  call: Call,
  input: RouteInput,
  appearance: Appearance,
): Promise<void> => {
  const { terminal } = call.session;
  const readPage = (page: RouteInput) => callOperation(call, page);
  const { nextParameter } = appearance;
  const pages = readPages({ readPage, nextParameter }, input, terminal);
  const complete = call.described.completeRows?.(call.session) ?? unchanged;
  if (isByRow(appearance.format)) {
    for await (const { rows } of pages) writeRows(await complete(rows), terminal.out, appearance);
  } else {
    const answer = await completeAnswer(await joinPages(pages), complete);
    writeResult(answer, terminal, appearance);
  }
};

/** Sends a request whose package argument is already a name, as `sendRequest` does. */
export const sendNamedRequest = async <Name extends RouteName>(
  call: Call<Name>,
  { body: given, query, view = call.described.view, previewBody }: Additions = {},
): Promise<Answer<Name> | undefined> => {
  const { described, session, flags } = call;
  const { format, terminal } = session;
  const { route, nextParameter } = described;
  const source = given ?? (await described.source?.read(call)) ?? {};
  const built = buildInput(described, call, source);
  const input = { ...built, query: { ...query, ...built.query } };
  const options = buildCallOptions(described, call);
  if (flags['dryRun']) {
    await showRequest({ route, input, options }, session, previewBody);
    return undefined;
  }
  const isFiltered = Object.keys(input.query).some((name) => !neutralParameters.includes(name));
  const appearance = { ...view, format, nextParameter, isFiltered };
  if (isPaged(described) && flags['all']) {
    await writeAllPages(call, input, appearance);
    return undefined;
  }
  const readPage = (page: RouteInput) => callOperation(call, page);
  const first = await callOperation(call, input, options);
  const answer = isPaged(described) ? await fillUp({ readPage }, input, first) : first;
  const complete = described.completeRows?.(session) ?? unchanged;
  writeResult(await completeAnswer(answer, complete), terminal, appearance);
  return answer as Answer<Name>;
};

/**
 * Sends the request of a command and writes the answer. With `--dry-run`, it shows the request instead; with `--all`, it
 * reads every page.
 * @returns the answer; undefined with `--dry-run` and `--all`
 * @throws {UsageError} if a required field is missing, or the package argument names no package
 */
export const sendRequest = <Name extends RouteName>(
  call: Call<Name>,
  additions?: Additions,
): Promise<Answer<Name> | undefined> =>
  sendNamedRequest({ ...call, ...readNamedPackage(call.described, call) }, additions);
