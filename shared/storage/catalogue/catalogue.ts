import type { SearchTerm } from '../../domain/packages/search.ts';
import { withoutReadBudget } from '../dynamodb/read-budget.ts';
import { type BrowseQuery, type CataloguePage, createBrowser } from './browse.ts';
import { type CatalogueLayout, defaultLayout } from './layout.ts';
import { createSearcher } from './search.ts';

/** Which package versions to list, in which order, and which stretch of them. */
export interface CatalogueQuery extends BrowseQuery {
  readonly search?: SearchTerm | undefined;
}

/** Lists package versions from the counted catalogue, at a cost that does not grow with the registry. */
export const createCatalogue = (layout: CatalogueLayout = defaultLayout) => {
  const browse = createBrowser(layout);
  const searchIn = createSearcher(layout);

  return ({ search, ...query }: CatalogueQuery): Promise<CataloguePage> =>
    search ? withoutReadBudget(() => searchIn({ ...query, search })) : browse(query);
};
