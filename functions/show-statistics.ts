import { endpoint } from '../shared/http/endpoint.ts';
import { routes } from '../shared/routes.ts';
import { listDays } from '../shared/store/events/days.ts';

export const handler = endpoint(routes.showStatistics, async ({ query }) => ({
  days: await listDays(new Date(), query.days),
}));
