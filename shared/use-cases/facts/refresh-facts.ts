import { type Ecosystem, ecosystems } from '../../ecosystems/ecosystem.ts';
import type { QueuedRefresh } from '../../platform/worker/events/queued-refresh.ts';
import { type DueRefresh, listDueRefreshes } from '../../storage/reviews/due-refreshes.ts';
import { isOriginFailing } from '../../storage/reviews/origin-state.ts';
import {
  findRefreshCursor,
  type RefreshCursor,
  saveRefreshCursor,
} from '../../storage/reviews/refresh-cursor.ts';
import { hourMs, minuteMs } from '../../util/duration.ts';
import { runInParallel } from '../../util/in-parallel.ts';

interface RefreshContext {
  readonly now: Date;
  /** Sends packages and versions to the queue of origin fetches. */
  readonly send: (bodies: readonly string[]) => Promise<unknown>;
}

/** Limit of fetches from one origin per minute. A week has room for six million packages of an ecosystem. */
const mostAtATime = 600;
/** Limit per minute while an origin is failing. The first answer lifts it. */
const mostWhileFailing = 10;

/** Time after which the schedule sends again what is still due: its message may be lost. */
const againMs = hourMs;
/** Time in which a refresh may appear in the schedule after the time at which it is due. */
const lateMs = 2 * minuteMs;

const formatRefresh = ({ ecosystem, name, version, refresh_at }: DueRefresh): string => {
  const message: QueuedRefresh = {
    ...{ ecosystem, name, due_at: refresh_at },
    ...(version !== undefined && { version }),
  };
  return JSON.stringify(message);
};

/** Returns the cursor from which the schedule continues: from the beginning each hour. */
const openCursor = async (ecosystem: Ecosystem, now: Date): Promise<RefreshCursor> => {
  const cursor = await findRefreshCursor(ecosystem);
  const isCurrent = cursor && now.getTime() - Date.parse(cursor.began_at) < againMs;
  return isCurrent ? cursor : { sent_to: '', began_at: now.toISOString() };
};

const refreshEcosystem = async (
  ecosystem: Ecosystem,
  { now, send }: RefreshContext,
): Promise<number> => {
  const cursor = await openCursor(ecosystem, now);
  const range = { after: cursor.sent_to, until: now.toISOString() };
  const { due: found, next } = await listDueRefreshes(ecosystem, range, mostAtATime);
  if (found.length === 0 && next === undefined) return 0;
  const due = (await isOriginFailing(ecosystem)) ? found.slice(0, mostWhileFailing) : found;
  await send(due.map(formatRefresh));
  const settled = new Date(now.getTime() - lateMs).toISOString();
  const last = due.length < found.length ? due.at(-1)?.refresh_at : next;
  const sent_to = last === undefined || last > settled ? settled : last;
  await saveRefreshCursor(ecosystem, { ...cursor, sent_to });
  return due.length;
};

/**
 * Queues the packages and versions whose refresh is due, and returns their number. Their rows stay as they are until an origin
 * has answered. What is lost in the queue is queued again within the hour. While an origin is failing, its other packages wait at
 * no cost.
 */
export const refreshFacts = async (context: RefreshContext): Promise<number> => {
  const sent = await runInParallel(ecosystems, ecosystems.length, (ecosystem) =>
    refreshEcosystem(ecosystem, context),
  );
  return sent.reduce((sum, count) => sum + count, 0);
};
