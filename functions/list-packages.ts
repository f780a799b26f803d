import * as routes from '../shared/api/routes.ts';
import { maxFullLimit } from '../shared/api/schemas/list-query.ts';
import { readApprovalRules } from '../shared/api/settings/env.ts';
import { parseSearchTerm } from '../shared/domain/packages/search.ts';
import { endpoint } from '../shared/platform/http/endpoint.ts';
import { makePageLinks } from '../shared/platform/http/page-links.ts';
import { createCatalogue } from '../shared/storage/catalogue/catalogue.ts';
import { newestFirst, oldestFirst } from '../shared/storage/catalogue/order.ts';
import { listInFull } from '../shared/use-cases/review/list-in-full.ts';

const listPackages = createCatalogue();

export const handler = endpoint(
  routes.listPackages,
  async ({ query: { search, sort, view, ...rest } }) => {
    const isFull = view === 'full';
    const order = sort === '-submitted_at' ? newestFirst : oldestFirst;
    const limit = isFull ? Math.min(rest.limit, maxFullLimit) : rest.limit;
    const query = { ...rest, limit, order, search: parseSearchTerm(search ?? '') };
    const page = isFull
      ? await listInFull(listPackages, query, { rules: readApprovalRules(), now: new Date() })
      : await listPackages(query);
    return { ...page, limit, offset: rest.offset };
  },
  makePageLinks,
);
