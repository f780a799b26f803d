import { searchTerm } from '../shared/domain/search.ts';
import { endpoint } from '../shared/http/endpoint.ts';
import { pageLinks } from '../shared/http/page-links.ts';
import { routes } from '../shared/routes.ts';
import { createCatalogue } from '../shared/store/catalogue/catalogue.ts';

const listPackages = createCatalogue();

export const handler = endpoint(
  routes.listPackages,
  async ({ query: { search, sort, ...rest } }) => {
    const newestFirst = sort === '-submitted_at';
    const page = await listPackages({ ...rest, newestFirst, search: searchTerm(search ?? '') });
    return { ...page, limit: rest.limit, offset: rest.offset };
  },
  pageLinks,
);
