import type { SearchTerm } from '../../domain/packages/search.ts';
import { withoutReadBudget } from '../dynamodb/read-budget.ts';
import { type BrowseQuery, type CataloguePage, createBrowser } from './browse.ts';
import { type CatalogueLayout, defaultLayout } from './layout.ts';
import { createSearcher } from './search.ts';

/** Query for one page of package versions, with an optional search term. */
export interface CatalogueQuery extends BrowseQuery {
  readonly search?: SearchTerm | undefined;
}

/** Returns the function that lists package versions. Without a search, the cost does not grow with the registry. */
export const createCatalogue = (layout: CatalogueLayout = defaultLayout) => {
  const browse = createBrowser(layout);
  const searchIn = createSearcher(layout);

  return ({ search, ...query }: CatalogueQuery): Promise<CataloguePage> =>
    search ? withoutReadBudget(() => searchIn({ ...query, search })) : browse(query);
};
