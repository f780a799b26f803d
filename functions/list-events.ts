import * as routes from '../shared/api/routes.ts';
import { takeFitting } from '../shared/domain/answer-size.ts';
import { refuseInvalid } from '../shared/domain/errors.ts';
import { endpoint } from '../shared/platform/http/endpoint.ts';
import { readSequence, toReviewState } from '../shared/storage/events/event-count.ts';
import { listEvents } from '../shared/storage/events/events.ts';

/** Returns the event number after which the last `last` events begin. */
const findPlaceBefore = async (last: number): Promise<number> =>
  Math.max(0, toReviewState(await readSequence()) - last);

export const handler = endpoint(routes.listEvents, async ({ query: { after, last, limit } }) => {
  if (after !== undefined && last !== undefined) {
    throw refuseInvalid('last', 'must not come together with after: both say where to begin');
  }
  const place = last === undefined ? (after ?? 0) : await findPlaceBefore(last);
  const events = takeFitting(await listEvents(place, limit));
  return { events, next: events.at(-1)?.sequence ?? place };
});
