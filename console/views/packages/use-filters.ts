import { useMemo } from 'preact/hooks';
import { type Address, goTo } from '../../address/address.ts';
import type { Filters } from './rows.ts';

/** Returns the filters in the address, and a function that changes them. */
export const useFilters = ({ view, query }: Address) => {
  const { search = '', ecosystem = '', status = '', sort = '', batch = '' } = query;
  const filters: Filters = useMemo(
    () => ({ search, ecosystem, status, sort, batch }),
    [search, ecosystem, status, sort, batch],
  );
  const change = (changed: Partial<Filters>): void =>
    goTo({ view, query: { ...filters, ...changed } }, { replace: true });
  return { filters, change };
};
