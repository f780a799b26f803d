/** The lists of versions. */
export type Source = 'queue' | 'attention' | 'packages' | 'submissions';

/**
 * The filters of a list, by their parameters in the address. `batch` limits it to the versions of a batch; `age` is a number of
 * days.
 */
export const filterNames = [
  'search',
  'ecosystem',
  'status',
  'sort',
  'batch',
  'issue',
  'severity',
  'license_status',
  'submitter',
  'cause',
  'age',
  'demand',
  'reason',
  'group',
] as const;

export type FilterName = (typeof filterNames)[number];

/** The filters of a list, from its address. An empty text is no filter. */
export type Filters = Readonly<Record<FilterName, string>>;

/** Filters that only the list of reviews has. */
const reviewFilters = [
  'batch',
  'issue',
  'severity',
  'license_status',
  'submitter',
  'cause',
  'age',
  'demand',
] as const satisfies readonly FilterName[];

const isSet = (filters: Filters, name: FilterName): boolean => filters[name].trim() !== '';

/** Returns true if a list shows a part only. Its order and its groups leave out nothing. */
export const isFiltered = (filters: Filters): boolean =>
  filterNames.some((name) => !['sort', 'group'].includes(name) && isSet(filters, name));

/** Returns true if the list is one of reviews, which has no total. Other lists are counted. */
export const isReviewList = (source: Source, filters: Filters): boolean => {
  if (source === 'packages') return isSet(filters, 'batch');
  if (source !== 'queue') return source === 'submissions';
  const isRanked = ['severity', 'demand'].includes(filters.sort);
  return isRanked || reviewFilters.some((name) => isSet(filters, name));
};
