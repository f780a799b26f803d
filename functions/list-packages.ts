import { parseSearchTerm } from '../shared/domain/search.ts';
import { endpoint } from '../shared/http/endpoint.ts';
import { makePageLinks } from '../shared/http/page-links.ts';
import { routes } from '../shared/routes.ts';
import { createCatalogue } from '../shared/store/catalogue/catalogue.ts';
import { newestFirst, oldestFirst } from '../shared/store/catalogue/order.ts';

const listPackages = createCatalogue();

export const handler = endpoint(
  routes.listPackages,
  async ({ query: { search, sort, ...rest } }) => {
    const order = sort === '-submitted_at' ? newestFirst : oldestFirst;
    const page = await listPackages({ ...rest, order, search: parseSearchTerm(search ?? '') });
    return { ...page, limit: rest.limit, offset: rest.offset };
  },
  makePageLinks,
);
