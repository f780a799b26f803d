import type { APIGatewayProxyEvent, Context } from 'aws-lambda';
import type { HttpAnswer } from '../../api/http-answer.ts';
import type { Route } from '../../api/route.ts';
import type { ItemResult } from '../../api/schemas/many.ts';
import type { SchemaName } from '../../api/schemas/named-schemas.ts';
import type { PackageAnswer } from '../../api/schemas/package.ts';
import { readCounterShards } from '../../api/settings/env.ts';
import { RegistryError } from '../../domain/errors.ts';
import { foldName } from '../../domain/packages/package-name.ts';
import type { Caller } from '../../domain/tokens/actor.ts';
import type { NameGiver } from '../../domain/tokens/given-name.ts';
import { type CatalogueTarget, chooseTarget, makeTarget } from '../../storage/catalogue/target.ts';
import type { WriteContext } from '../../storage/dynamodb/write-context.ts';
import { groupBy } from '../../util/group-by.ts';
import { runInParallel } from '../../util/in-parallel.ts';
import { readAt } from '../../util/json.ts';
import { logEvent } from '../../util/log.ts';
import { type EndpointInput, makeSuccessAnswer, readInput } from './endpoint.ts';
import { findCode, isReplayed, logNotIndexed, makeErrorAnswer } from './error-answer.ts';
import { identifyItem, settleRefusal } from './idempotency.ts';
import { composeProtected, makeWriteContext, type ProtectedRoute } from './protected-endpoint.ts';
import { type RequestState, readCaller, readNameGiver } from './state.ts';

/** Minimum remaining time to start an item, in milliseconds. */
const leastMs = 3000;

type Answering<S extends SchemaName> = { readonly success: { readonly answer: S } };
type ManyRoute = ProtectedRoute & { readonly many: true } & Answering<'ResultList'>;
type SingleRoute = Route & Answering<'PackageAnswer'>;

/** Caller and write context of one item. */
interface ItemContext {
  readonly caller: Caller;
  readonly giver: NameGiver;
  readonly write: WriteContext<PackageAnswer>;
  readonly catalogue: CatalogueTarget;
}

/** Operation on each item, with the same result as a separate request for that item. */
interface Operation<R extends ManyRoute, Item> {
  /** Route of the request for a single item. */
  readonly single: SingleRoute;
  /** Returns the items of a body, not yet validated. */
  readonly list: (body: EndpointInput<R>['body']) => readonly unknown[];
  /** Returns a validated item. @throws {RegistryError} for an invalid item */
  readonly read: (sent: unknown) => Item;
  readonly run: (item: Item, context: ItemContext) => Promise<PackageAnswer>;
}

/** One item of a request. */
interface SentItem {
  readonly place: number;
  readonly sent: unknown;
}

interface ManyRequest {
  readonly state: RequestState;
  readonly event: APIGatewayProxyEvent;
  readonly context: Context;
}

const refuseUnattempted = (why: string): RegistryError =>
  new RegistryError(
    'not_attempted',
    `${why} Send it again; with the same Idempotency-Key, what was done is not done twice.`,
  );
const refuseLate = () => refuseUnattempted('There was no time left for this.');
/** Refuses an item after a failed one of the same name; otherwise a retry would run them in the wrong order. */
const refuseBehind = () =>
  refuseUnattempted('What comes before it of the same name has failed, so this waits for it.');

const isFault = (status: number): boolean => status >= 500;

/** Logs a server fault of one item, for alarms: the request's own log line shows a success. */
const logFailure = ({
  event,
  error,
  status,
  item,
}: {
  readonly event: APIGatewayProxyEvent;
  readonly error: unknown;
  readonly status: number;
  readonly item: number;
}): void => {
  const code = findCode(error) ?? 'internal_error';
  if (!isFault(status) || code === 'not_attempted') return;
  const { requestId: request_id } = event.requestContext;
  logEvent('warn', 'item_failed', { request_id, item, code });
};

/** Returns the lane of an item. Items of one name write to shared records, so they run in sequence. */
const findLaneKey = ({ sent, place }: SentItem): string => {
  const name = readAt(sent, 'name');
  return typeof name === 'string' ? foldName(name) : `#${place}`;
};

const answerItem = async <R extends ManyRoute, Item>(
  { sent, place }: SentItem,
  { single, read, run }: Operation<R, Item>,
  { state, event, context }: ManyRequest,
  { catalogue, isBehind }: { readonly catalogue: CatalogueTarget; readonly isBehind: boolean },
): Promise<HttpAnswer> => {
  const caller = readCaller(state);
  const giver = readNameGiver(state);
  const idempotent = state.idempotent && identifyItem(state.idempotent, place, sent);
  const answerTo = (result: PackageAnswer) => makeSuccessAnswer(single, result);
  const write = makeWriteContext({ actor: caller, idempotent }, context, answerTo);
  try {
    const item = read(sent);
    if (isBehind) throw refuseBehind();
    if (write.deadline.remainingMs() < leastMs) throw refuseLate();
    return answerTo(await run(item, { caller, giver, write, catalogue }));
  } catch (refusal) {
    const answerToError = (error: unknown) => makeErrorAnswer({ event, error });
    const error = await settleRefusal(idempotent, refusal, answerToError);
    logNotIndexed({ event, error }, { item: place });
    const answer = answerToError(error);
    logFailure({ event, error, status: answer.statusCode, item: place });
    return answer;
  }
};

const toResult = (answer: HttpAnswer): ItemResult => {
  const common = {
    status: answer.statusCode,
    ...(isReplayed(answer) && { replayed: true as const }),
  };
  const said = JSON.parse(answer.body);
  return answer.statusCode >= 400 ? { ...common, problem: said } : { ...common, package: said };
};

/**
 * Returns the handler of an endpoint for many items, each in its own transaction. Parallel lanes use different shards of the
 * catalogue's counters, so that they do not conflict there.
 */
export const manyEndpoint = <R extends ManyRoute, Item>(
  route: R,
  operation: Operation<R, Item>,
) => {
  const answer = async (state: RequestState, event: APIGatewayProxyEvent, context: Context) => {
    const sent = operation.list(readInput<R>(state).body);
    const items = sent.map((one, place) => ({ sent: one, place }));
    const results: ItemResult[] = [];
    const shards = readCounterShards();
    const { shard } = chooseTarget();
    const followItems = async (some: readonly SentItem[], lane: number): Promise<void> => {
      const catalogue = makeTarget((shard + lane) % shards);
      let isBehind = false;
      for (const item of some) {
        const request = { state, event, context };
        const answered = await answerItem(item, operation, request, { catalogue, isBehind });
        isBehind ||= isFault(answered.statusCode);
        results[item.place] = toResult(answered);
      }
    };
    await runInParallel([...groupBy(items, findLaneKey).values()], shards, followItems);
    return makeSuccessAnswer<ManyRoute>(route, { results });
  };
  return composeProtected(route, answer);
};
