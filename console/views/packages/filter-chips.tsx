import { useRef, useState } from 'preact/hooks';
import { goTo } from '../../address/address.ts';
import { Line } from '../../parts/text.tsx';
import { describeFilter, type FilterChoices, listFilterChoices } from './filter-choices.ts';
import type { Filters, Source } from './filters.ts';

interface FilterChipsProps {
  readonly source: Source;
  readonly filters: Filters;
  readonly change: (filters: Partial<Filters>) => void;
}

/** The most characters of a text filter, such as the name of a submitter. */
const maxLength = 200;

/** Moves the focus to a field when it appears. */
const focusNow = (field: HTMLInputElement | null): void => field?.focus();

interface TextFilterProps extends Pick<FilterChipsProps, 'change'> {
  readonly filter: FilterChoices;
  readonly close: () => void;
}

/** The field of a filter that takes a text. Enter sets the filter. */
const TextFilter = ({ filter: { name, label }, change, close }: TextFilterProps) => (
  <input
    ref={focusNow}
    aria-label={label}
    placeholder={`${label}, then Enter`}
    maxLength={maxLength}
    onBlur={close}
    onKeyDown={(event) => {
      const value = event.currentTarget.value.trim();
      if (event.key === 'Enter' && value !== '') change({ [name]: value });
      if (event.key !== 'Enter' && event.key !== 'Escape') return;
      // The field disappears: the focus must not go to the top of the page.
      const menu = event.currentTarget.parentElement?.querySelector('select');
      close();
      menu?.focus();
    }}
  />
);

/** The menu that adds a filter. */
const FilterMenu = ({
  offered,
  add,
  isBatched,
}: {
  readonly offered: readonly FilterChoices[];
  readonly add: (name: string, value: string) => void;
  readonly isBatched: boolean;
}) => {
  // The arrow keys change a closed menu at each step, in some systems: then, Enter adds what it shows.
  const isByKey = useRef(false);
  const take = (menu: HTMLSelectElement): void => {
    const [name = '', value = ''] = menu.value.split('=', 2);
    menu.value = '';
    if (name !== '') add(name, value);
  };
  return (
    <select
      aria-label="Add a filter: choose it, then press Enter"
      aria-keyshortcuts="f"
      class="add-filter"
      onPointerDown={() => {
        isByKey.current = false;
      }}
      onKeyDown={(event) => {
        if (event.key !== 'Tab') isByKey.current = true;
        if (event.key !== 'Enter' || event.currentTarget.value === '') return;
        event.preventDefault();
        take(event.currentTarget);
      }}
      onBlur={(event) => {
        event.currentTarget.value = '';
      }}
      onChange={({ currentTarget }) => {
        if (!isByKey.current) take(currentTarget);
      }}
    >
      <option value="">Add filter</option>
      {offered.map(({ name, label, choices }) =>
        choices.length === 0 ? (
          <option key={name} value={name}>
            {label}: …
          </option>
        ) : (
          <optgroup key={name} label={label}>
            {choices.map(([value, text]) => (
              <option key={value} value={`${name}=${value}`}>
                {label}: {text}
              </option>
            ))}
          </optgroup>
        ),
      )}
      {isBatched && <option value="batches">All batches</option>}
    </select>
  );
};

/** The filters of a list: a button that removes each one, and a menu that adds another. */
export const FilterChips = ({ source, filters, change }: FilterChipsProps) => {
  const [asked, setAsked] = useState<FilterChoices>();
  const bar = useRef<HTMLSpanElement>(null);
  const all = listFilterChoices(source, filters);
  const set = all.filter(({ name }) => filters[name] !== '');
  const close = (): void => setAsked(undefined);
  const add = (name: string, value: string): void => {
    if (name === 'batches') goTo({ view: 'batches' });
    else if (value !== '') change({ [name]: value });
    else setAsked(all.find((one) => one.name === name));
  };
  const remove = ({ name }: FilterChoices): void => {
    // The button disappears: the focus must not go to the top of the page.
    bar.current?.querySelector('select')?.focus();
    change({ [name]: '' });
  };
  return (
    <span class="chips" ref={bar}>
      {set.map((one) => {
        const text = describeFilter(one, filters[one.name]);
        return (
          <button
            key={one.name}
            type="button"
            class="chip"
            title="Remove this filter"
            onClick={() => remove(one)}
          >
            <Line text={text} /> <span aria-hidden="true">✕</span>
            <span class="visually-hidden">, remove</span>
          </button>
        );
      })}
      {asked && <TextFilter key={asked.name} filter={asked} change={change} close={close} />}
      <FilterMenu offered={all} add={add} isBatched={all.some(({ name }) => name === 'batch')} />
    </span>
  );
};
