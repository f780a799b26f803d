import type { Ref } from 'preact';
import { useEffect, useRef, useState } from 'preact/hooks';
import { statuses } from '../../../shared/domain/review/status.ts';
import { ecosystems } from '../../../shared/ecosystems/ecosystem.ts';
import { Line } from '../../parts/text.tsx';
import type { Filters } from './filters.ts';
import type { Source } from './use-listing.ts';

const typingDelayMs = 250;

interface FilterBarProps {
  readonly source: Source;
  readonly filters: Filters;
  readonly change: (filters: Partial<Filters>) => void;
  readonly searchField: Ref<HTMLInputElement>;
}

interface ChoiceProps {
  readonly label: string;
  readonly value: string;
  readonly choices: readonly (readonly [value: string, word: string])[];
  readonly choose: (value: string) => void;
}

const Choice = ({ label, value, choices, choose }: ChoiceProps) => (
  <select aria-label={label} value={value} onChange={(event) => choose(event.currentTarget.value)}>
    {choices.map(([choice, word]) => (
      <option key={choice} value={choice}>
        {word}
      </option>
    ))}
  </select>
);

const toChoices = (values: readonly string[]) => values.map((value) => [value, value] as const);

/** The search field and the filters of a list. */
export const FilterBar = ({ source, filters, change, searchField }: FilterBarProps) => {
  const [typed, setTyped] = useState(filters.search);
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined);
  useEffect(() => setTyped(filters.search), [filters.search]);
  const search = (text: string): void => {
    setTyped(text);
    clearTimeout(timer.current);
    timer.current = setTimeout(() => change({ search: text }), typingDelayMs);
  };
  const isBatch = filters.batch !== '';
  return (
    <search class="filters">
      {isBatch && (
        <button
          type="button"
          class="batch"
          title="Show the versions of all batches"
          onClick={() => change({ batch: '' })}
        >
          Batch <Line text={filters.batch} /> ✕
        </button>
      )}
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
      <Choice
        label="Ecosystem"
        value={filters.ecosystem}
        choices={[['', 'All ecosystems'], ...toChoices(ecosystems)]}
        choose={(ecosystem) => change({ ecosystem })}
      />
      {source === 'packages' && (
        <Choice
          label="Status"
          value={filters.status}
          choices={[['', 'Any status'], ...toChoices(statuses)]}
          choose={(status) => change({ status })}
        />
      )}
      {source !== 'attention' && !isBatch && (
        <Choice
          label="Order"
          value={filters.sort}
          choices={[
            ['', 'Oldest first'],
            ['-submitted_at', 'Newest first'],
          ]}
          choose={(sort) => change({ sort })}
        />
      )}
    </search>
  );
};
