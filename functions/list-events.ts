import { takeFitting } from '../shared/domain/answer-size.ts';
import { refuseInvalid } from '../shared/domain/errors.ts';
import { endpoint } from '../shared/http/endpoint.ts';
import { routes } from '../shared/routes.ts';
import { listEvents } from '../shared/store/events/events.ts';
import { readSequence, toHead } from '../shared/store/events/head.ts';

/** After which event the last ones begin. */
const findPlaceBefore = async (last: number): Promise<number> =>
  Math.max(0, toHead(await readSequence()) - last);

export const handler = endpoint(routes.listEvents, async ({ query: { after, last, limit } }) => {
  if (after !== undefined && last !== undefined) {
    throw refuseInvalid('last', 'must not come together with after: both say where to begin');
  }
  const place = last === undefined ? (after ?? 0) : await findPlaceBefore(last);
  const events = takeFitting(await listEvents(place, limit));
  return { events, next: events.at(-1)?.sequence ?? place };
});
