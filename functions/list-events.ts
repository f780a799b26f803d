import { takeFitting } from '../shared/domain/answer-size.ts';
import { endpoint } from '../shared/http/endpoint.ts';
import { routes } from '../shared/routes.ts';
import { listEvents } from '../shared/store/events/events.ts';

export const handler = endpoint(routes.listEvents, async ({ query: { after, limit } }) => {
  const events = takeFitting(await listEvents(after, limit));
  return { events, next: events.at(-1)?.sequence ?? after };
});
