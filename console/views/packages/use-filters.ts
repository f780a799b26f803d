import { useMemo } from 'preact/hooks';
import { type Address, goTo } from '../../address/address.ts';
import { type Filters, filterNames } from './filters.ts';

const readFilters = (query: Address['query']): Filters =>
  Object.fromEntries(filterNames.map((name) => [name, query[name] ?? ''])) as Filters;

/** Returns the filters in the address, and a function that changes them. */
export const useFilters = ({ view, query }: Address) => {
  const filters = useMemo(
    () => readFilters(query),
    filterNames.map((name) => query[name]),
  );
  const change = (changed: Partial<Filters>): void =>
    goTo({ view, query: { ...filters, ...changed } }, { replace: true });
  return { filters, change };
};
