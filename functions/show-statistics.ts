import * as routes from '../shared/api/routes.ts';
import { endpoint } from '../shared/platform/http/endpoint.ts';
import { listDays } from '../shared/storage/events/days.ts';

export const handler = endpoint(routes.showStatistics, async ({ query }) => ({
  days: await listDays(new Date(), query.days),
}));
