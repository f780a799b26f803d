import type { Ref } from 'preact';
import { useEffect, useRef, useState } from 'preact/hooks';
import { FilterChips } from './filter-chips.tsx';
import { groupChoices, listOrders } from './filter-choices.ts';
import type { Filters, Source } from './filters.ts';

const typingDelayMs = 250;

interface FilterBarProps {
  readonly source: Source;
  readonly filters: Filters;
  readonly change: (filters: Partial<Filters>) => void;
  readonly searchField: Ref<HTMLInputElement>;
}

interface ChoiceProps extends Pick<FilterBarProps, 'filters' | 'change'> {
  readonly label: string;
  readonly name: 'sort' | 'group';
  /** The values; none if the list has no choice. */
  readonly choices: readonly (readonly [value: string, text: string])[];
}

const Choice = ({ label, name, choices, filters, change }: ChoiceProps) =>
  choices.length === 0 ? null : (
    <select
      aria-label={label}
      value={filters[name]}
      onChange={(event) => change({ [name]: event.currentTarget.value })}
    >
      {choices.map(([value, text]) => (
        <option key={value} value={value}>
          {text}
        </option>
      ))}
    </select>
  );

/** The search field, the filters, the order and the groups of a list. */
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
      <Choice label="Order" choices={orders} {...{ name: 'sort', filters, change }} />
      <Choice
        label="Groups"
        choices={source === 'attention' ? [] : groupChoices}
        {...{ name: 'group', filters, change }}
      />
    </search>
  );
};
