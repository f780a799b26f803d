import { formatAddress } from '../../address/address.ts';
import type { Outcome } from '../../decisions/outcome.ts';
import { useVersionUses } from '../../decisions/version-uses.tsx';
import type { Filters, Source } from './filters.ts';
import { PackageRow } from './package-row.tsx';
import type { Row } from './rows.ts';
import type { Groups } from './use-groups.ts';
import type { Selection } from './use-selection.ts';

interface PackageTableProps {
  readonly source: Source;
  readonly filters: Filters;
  readonly attention: readonly Row[];
  readonly hasMoreAttention: boolean;
  readonly rows: readonly Row[];
  /** The older updates of the rows; undefined in lists that show all updates. */
  readonly groups: Groups | undefined;
  readonly outcomes: ReadonlyMap<string, Outcome>;
  readonly current: string | undefined;
  readonly selection: Selection;
  /** Called with the key of the row that got the focus. */
  readonly follow: (key: string) => void;
}

const findKey = ({ target }: FocusEvent): string | undefined =>
  target instanceof HTMLElement
    ? target.closest<HTMLElement>('[data-key]')?.dataset['key']
    : undefined;

const lastColumn = {
  ...{ queue: 'Waiting', attention: 'Since', packages: 'Status', submissions: 'Status' },
} as const;

const captions = {
  queue: 'Versions that wait for a decision',
  attention: 'Versions that need attention',
  packages: 'All versions',
  submissions: 'Versions that you submitted',
} as const;

/** The table of versions. Versions that need attention come first. */
export const PackageTable = (props: PackageTableProps) => {
  const { source, filters, attention, rows, outcomes, current, selection } = props;
  const uses = useVersionUses(source === 'attention' ? rows : attention);
  const toRow = (row: Row) => (
    <PackageRow
      key={row.key}
      row={row}
      source={source}
      outcome={outcomes.get(row.key)}
      href={formatAddress({ view: source, id: row, query: { ...filters } })}
      isCurrent={row.key === current}
      isSelected={selection.keys.has(row.key)}
      select={selection.select}
      groups={props.groups}
      uses={uses?.get(row.key)}
    />
  );
  const isGrouped = source === 'queue' && attention.length > 0;
  return (
    <table
      class="packages"
      onFocusIn={(event) => {
        const key = findKey(event);
        if (key !== undefined) props.follow(key);
      }}
    >
      <caption class="visually-hidden">{captions[source]}</caption>
      <thead>
        <tr>
          <td class="select">
            <label>
              <input type="checkbox" checked={selection.isAll} onChange={selection.toggleAll} />
              <span class="visually-hidden">Select all loaded pending versions</span>
            </label>
          </td>
          <th scope="col" class="package">
            Package
          </th>
          <th scope="col" class="ecosystem">
            Ecosystem
          </th>
          <th scope="col" class="by">
            Submitted by
          </th>
          <th scope="col" class="license-cell">
            {source === 'attention' ? 'Reason' : 'License'}
          </th>
          <th scope="col" class="scan">
            Scan
          </th>
          <th scope="col" class="issues">
            Issues
          </th>
          <th scope="col" class="status-cell">
            {lastColumn[source]}
          </th>
        </tr>
      </thead>
      {attention.length > 0 && (
        <tbody>
          {isGrouped && (
            <tr class="group">
              <th colSpan={2} scope="rowgroup">
                Needs attention
              </th>
            </tr>
          )}
          {attention.map(toRow)}
          {props.hasMoreAttention && (
            <tr class="group">
              <td colSpan={2}>
                <a href="#/attention">All versions that need attention</a>
              </td>
            </tr>
          )}
        </tbody>
      )}
      <tbody>
        {isGrouped && rows.length > 0 && (
          <tr class="group">
            <th colSpan={2} scope="rowgroup">
              Pending
            </th>
          </tr>
        )}
        {rows.map(toRow)}
      </tbody>
    </table>
  );
};
