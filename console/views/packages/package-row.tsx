import { type ActionWords, actions } from '../../decisions/actions.ts';
import type { Outcome, Stage } from '../../decisions/outcomes.ts';
import { Mark, StatusWord } from '../../parts/marks.tsx';
import { showHidden } from '../../parts/show-hidden.ts';
import { Line } from '../../parts/text.tsx';
import { Time } from '../../parts/time.tsx';
import { Issues, LicenseCell, Scan } from './cells.tsx';
import type { Row } from './rows.ts';
import type { Source } from './use-listing.ts';
import type { Selection } from './use-selection.ts';

interface PackageRowProps {
  readonly row: Row;
  readonly source: Source;
  readonly outcome: Outcome | undefined;
  readonly href: string;
  readonly isCurrent: boolean;
  readonly isSelected: boolean;
  readonly select: Selection['select'];
}

const stageWords = {
  held: ({ done }) => `will be ${done}`,
  sending: ({ doing }) => `${doing} …`,
  checking: () => 'no answer; checking',
  unsent: () => 'not made yet',
} satisfies Record<Stage, (words: ActionWords) => string>;

/** Where it stands by now, or how long it has waited. */
const Standing = ({
  row,
  source,
  outcome,
}: Pick<PackageRowProps, 'row' | 'source' | 'outcome'>) => {
  if (outcome?.doing) {
    const { action, stage } = outcome.doing;
    return (
      <span class={`stage word ${stage === 'unsent' ? 'bad' : 'idle'}`}>
        {stageWords[stage](actions[action])}
      </span>
    );
  }
  if (outcome?.refused) {
    return (
      <span class="word bad" title={outcome.refused.error.detail}>
        <Mark tone="bad" />
        refused
        <span class="heard">: {outcome.refused.error.detail}</span>
      </span>
    );
  }
  // An approved version that needed attention stays approved.
  if (outcome?.made === 'renew' || outcome?.made === 'keep') {
    return (
      <span class="word good">
        <Mark tone="good" />
        {actions[outcome.made].done}
      </span>
    );
  }
  const status = outcome?.status ?? row.status;
  if (source === 'packages' || status !== row.status) return <StatusWord status={status} />;
  return row.at === null ? <span>unknown</span> : <Time at={row.at} as="age" />;
};

/** One version in a list. */
export const PackageRow = (props: PackageRowProps) => {
  const { row, source, outcome, href, isCurrent, isSelected, select } = props;
  const isGone = outcome?.status !== undefined && outcome.status !== row.status;
  return (
    <tr
      data-key={row.key}
      class={`${isCurrent ? 'current' : ''} ${isGone ? 'gone' : ''} ${isSelected ? 'selected' : ''}`}
    >
      <td class="select">
        <label>
          <input
            type="checkbox"
            checked={isSelected}
            onClick={({ shiftKey }) => select(row.key, { isRange: shiftKey })}
          />
          <span class="heard">
            Select {showHidden(row.name).slice(0, 100)} {showHidden(row.version).slice(0, 100)}
          </span>
        </label>
      </td>
      <th scope="row" class="package">
        <a href={href} aria-current={isCurrent ? 'true' : undefined}>
          <Line class="name" text={row.name} /> <Line class="version" text={row.version} />
        </a>
        <span class="under">
          <Scan scan={row.scan} isInWords />
          {' · '}
          <Issues objections={row.objections} reasons={row.reasons} isInWords />
          {` · ${row.ecosystem}`}
          {row.license && (
            <>
              {' · '}
              <Line text={row.license} />
            </>
          )}
          {row.by && (
            <>
              {' · '}
              <Line text={row.by} />
            </>
          )}
        </span>
      </th>
      <td class="ecosystem">{row.ecosystem}</td>
      <td class="by">{row.by ? <Line text={row.by} /> : <span class="aside">–</span>}</td>
      <td class="license-cell">
        <LicenseCell {...row} />
      </td>
      <td class="scan">
        <Scan scan={row.scan} />
      </td>
      <td class="issues">
        <Issues objections={row.objections} reasons={row.reasons} />
      </td>
      <td class="standing-cell">
        <Standing row={row} source={source} outcome={outcome} />
      </td>
    </tr>
  );
};
