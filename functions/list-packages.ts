import { readApprovalRules } from '../shared/config/env.ts';
import { parseSearchTerm } from '../shared/domain/search.ts';
import { endpoint } from '../shared/http/endpoint.ts';
import { makePageLinks } from '../shared/http/page-links.ts';
import { listInFull } from '../shared/review/list-in-full.ts';
import { routes } from '../shared/routes.ts';
import { maxFullLimit } from '../shared/schemas/query.ts';
import { createCatalogue } from '../shared/store/catalogue/catalogue.ts';
import { newestFirst, oldestFirst } from '../shared/store/catalogue/order.ts';

const listPackages = createCatalogue();

export const handler = endpoint(
  routes.listPackages,
  async ({ query: { search, sort, view, ...rest } }) => {
    const isFull = view === 'full';
    const order = sort === '-submitted_at' ? newestFirst : oldestFirst;
    const limit = isFull ? Math.min(rest.limit, maxFullLimit) : rest.limit;
    const query = { ...rest, limit, order, search: parseSearchTerm(search ?? '') };
    const { packages, total } = isFull
      ? await listInFull(listPackages, query, { rules: readApprovalRules(), now: new Date() })
      : await listPackages(query);
    return { packages, total, limit, offset: rest.offset };
  },
  makePageLinks,
);
