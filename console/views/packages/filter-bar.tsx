import type { Ref } from 'preact';
import { useEffect, useRef, useState } from 'preact/hooks';
import { FilterChips } from './filter-chips.tsx';
import { listOrders } from './filter-choices.ts';
import type { Filters, Source } from './filters.ts';

const typingDelayMs = 250;

interface FilterBarProps {
  readonly source: Source;
  readonly filters: Filters;
  readonly change: (filters: Partial<Filters>) => void;
  readonly searchField: Ref<HTMLInputElement>;
}

/** The search field, the filters and the order of a list. */
export const FilterBar = ({ source, filters, change, searchField }: FilterBarProps) => {
  const [typed, setTyped] = useState(filters.search);
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined);
  useEffect(() => setTyped(filters.search), [filters.search]);
  const search = (text: string): void => {
    setTyped(text);
    clearTimeout(timer.current);
    timer.current = setTimeout(() => change({ search: text }), typingDelayMs);
  };
  const orders = listOrders(source, filters);
  return (
    <search class="filters">
      <input
        ref={searchField}
        type="search"
        placeholder="Search"
        aria-label="Search names and descriptions"
        aria-keyshortcuts="/"
        maxLength={100}
        value={typed}
        onInput={(event) => search(event.currentTarget.value)}
        onKeyDown={(event) => event.key === 'Escape' && event.currentTarget.blur()}
      />
      <FilterChips source={source} filters={filters} change={change} />
      {orders.length > 0 && (
        <select
          aria-label="Order"
          value={filters.sort}
          onChange={(event) => change({ sort: event.currentTarget.value })}
        >
          {orders.map(([value, text]) => (
            <option key={value} value={value}>
              {text}
            </option>
          ))}
        </select>
      )}
    </search>
  );
};
