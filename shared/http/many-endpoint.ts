import type { APIGatewayProxyEvent, Context } from 'aws-lambda';
import { readCounterShards } from '../config/env.ts';
import { RegistryError } from '../domain/errors.ts';
import { groupBy } from '../domain/group-by.ts';
import { readAt } from '../domain/json.ts';
import { foldName } from '../domain/package-name.ts';
import type { HttpAnswer } from '../http-answer.ts';
import { runInParallel } from '../in-parallel.ts';
import type { Route } from '../routes.ts';
import type { ItemResult, ResultList } from '../schemas/many.ts';
import type { PackageAnswer } from '../schemas/package.ts';
import { type CatalogueTarget, makeTarget } from '../store/catalogue/target.ts';
import type { WriteContext } from '../store/write-context.ts';
import { composeHandler, type EndpointInput, makeSuccessAnswer, readInput } from './endpoint.ts';
import { logUntold, makeErrorAnswer } from './error-answer.ts';
import { identifyItem, settleRefusal } from './idempotency.ts';
import {
  listProtections,
  makeWriteContext,
  type ProtectedRoute,
  readCaller,
} from './protected-endpoint.ts';
import type { RequestState } from './state.ts';

/** An item is not begun with less time than this left for it. */
const leastMs = 3000;

type Answering<S> = { readonly success: { readonly schema: S } };
type ManyRoute = ProtectedRoute & { readonly many: true } & Answering<typeof ResultList>;
type SingleRoute = Route & Answering<typeof PackageAnswer>;

/** How items are carried out, each as the request for it alone would be. */
interface Operation<R extends ManyRoute, Item> {
  /** The route of the request for one alone. */
  readonly single: SingleRoute;
  /** The items of a body, as they were sent. */
  readonly list: (body: EndpointInput<R>['body']) => readonly unknown[];
  /** @throws {RegistryError} for an item that is wrong */
  readonly read: (sent: unknown) => Item;
  readonly run: (
    item: Item,
    write: WriteContext<PackageAnswer>,
    catalogue: CatalogueTarget,
  ) => Promise<PackageAnswer>;
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

const refuseLate = (): RegistryError =>
  new RegistryError(
    'not_attempted',
    'There was no time left for this. Send it again; with the same Idempotency-Key, what was done is not done twice.',
  );

/** Versions of one name have something in common, so that they go one after the other. */
const findLaneKey = ({ sent, place }: SentItem): string => {
  const name = readAt(sent, 'name');
  return typeof name === 'string' ? foldName(name) : `#${place}`;
};

const answerItem = async <R extends ManyRoute, Item>(
  { sent, place }: SentItem,
  { single, read, run }: Operation<R, Item>,
  { state, event, context }: ManyRequest,
  catalogue: CatalogueTarget,
): Promise<HttpAnswer> => {
  const idempotent = state.idempotent && identifyItem(state.idempotent, place, sent);
  const answerTo = (result: PackageAnswer) => makeSuccessAnswer(single, result);
  const write = makeWriteContext({ actor: readCaller(state), idempotent }, context, answerTo);
  try {
    const item = read(sent);
    if (write.deadline.remainingMs() < leastMs) throw refuseLate();
    return answerTo(await run(item, write, catalogue));
  } catch (refusal) {
    const answerToError = (error: unknown) => makeErrorAnswer({ event, error });
    const error = await settleRefusal(idempotent, refusal, answerToError);
    logUntold({ event, error }, { item: place });
    return answerToError(error);
  }
};

const toResult = ({ statusCode: status, body }: HttpAnswer): ItemResult =>
  status < 400 ? { status, package: JSON.parse(body) } : { status, problem: JSON.parse(body) };

/**
 * The handler of an endpoint that does many things, each in a transaction of its own. Each lane has its own shard of the
 * catalogue's counters, so that lanes do not wait for each other there.
 */
export const manyEndpoint = <R extends ManyRoute, Item>(
  route: R,
  operation: Operation<R, Item>,
) => {
  const answer = async (state: RequestState, event: APIGatewayProxyEvent, context: Context) => {
    const sent = operation.list(readInput<R>(state).body);
    const items = sent.map((one, place) => ({ sent: one, place }));
    const results: ItemResult[] = [];
    const followItems = async (some: readonly SentItem[], lane: number): Promise<void> => {
      for (const item of some) {
        const request = { state, event, context };
        results[item.place] = toResult(
          await answerItem(item, operation, request, makeTarget(lane)),
        );
      }
    };
    await runInParallel(
      [...groupBy(items, findLaneKey).values()],
      readCounterShards(),
      followItems,
    );
    return makeSuccessAnswer<ManyRoute>(route, { results });
  };
  return composeHandler(answer, ...listProtections(route));
};
