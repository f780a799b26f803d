import { readApprovalRules } from '../shared/config/env.ts';
import { parseSearchTerm } from '../shared/domain/search.ts';
import { endpoint } from '../shared/http/endpoint.ts';
import { makePageLinks } from '../shared/http/page-links.ts';
import { showListed } from '../shared/review/show-listed.ts';
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
    const { packages, total } = await listPackages(query);
    const shown = isFull ? await showListed(packages, readApprovalRules(), new Date()) : packages;
    return { packages: shown, total, limit, offset: rest.offset };
  },
  makePageLinks,
);
