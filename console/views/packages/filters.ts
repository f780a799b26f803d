/**
 * The filters of a list, by their parameters in the address. `batch` limits it to the versions of a batch, in the order of
 * submission.
 */
export const filterNames = ['search', 'ecosystem', 'status', 'sort', 'batch'] as const;

type FilterName = (typeof filterNames)[number];

/** The filters of a list, from its address. An empty text is no filter. */
export type Filters = Readonly<Record<FilterName, string>>;

/** Returns true if a list shows a part only. Its order leaves out nothing. */
export const isFiltered = (filters: Filters): boolean =>
  filterNames.some((name) => name !== 'sort' && filters[name].trim() !== '');
