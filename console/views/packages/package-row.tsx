import type { VersionUses } from '../../../shared/api/schemas/project-uses.ts';
import { type ActionTexts, actions } from '../../decisions/actions.ts';
import type { Outcome, Stage } from '../../decisions/outcome.ts';
import { UsedByLabel } from '../../decisions/version-uses.tsx';
import { revealHidden } from '../../parts/reveal-hidden.ts';
import { StatusIcon, StatusLabel } from '../../parts/status-marks.tsx';
import { Line } from '../../parts/text.tsx';
import { Time } from '../../parts/time.tsx';
import type { Source } from './filters.ts';
import { GroupCell } from './group-cell.tsx';
import type { Row } from './rows.ts';
import { Issues, LicenseCell, Scan } from './table-cells.tsx';
import type { Groups } from './use-groups.ts';
import type { Selection } from './use-selection.ts';

interface PackageRowProps {
  readonly row: Row;
  readonly source: Source;
  readonly outcome: Outcome | undefined;
  readonly href: string;
  readonly isCurrent: boolean;
  readonly isSelected: boolean;
  readonly select: Selection['select'];
  readonly groups: Groups | undefined;
  /** The projects that use the version; undefined if there are none, or if they are unknown. */
  readonly uses: VersionUses | undefined;
}

const stageTexts = {
  held: ({ done }) => `will be ${done}`,
  queued: () => 'not sent yet',
  sending: ({ doing }) => `${doing} …`,
  checking: () => 'no answer, checking',
  unsent: () => 'not made yet',
} satisfies Record<Stage, (words: ActionTexts) => string>;

/** The progress or the status of the version, or how long it has waited. */
const StatusCell = ({
  row,
  source,
  outcome,
}: Pick<PackageRowProps, 'row' | 'source' | 'outcome'>) => {
  if (outcome?.doing) {
    const { action, stage } = outcome.doing;
    return (
      <span class={`stage status-label ${stage === 'unsent' ? 'bad' : 'idle'}`}>
        {stageTexts[stage](actions[action])}
      </span>
    );
  }
  if (outcome?.refused) {
    return (
      <span class="status-label bad" title={outcome.refused.error.detail}>
        <StatusIcon tone="bad" />
        refused
        <span class="visually-hidden">: {outcome.refused.error.detail}</span>
      </span>
    );
  }
  // The status of a renewed or kept version has not changed.
  if (outcome?.made === 'renew' || outcome?.made === 'keep') {
    return (
      <span class="status-label good">
        <StatusIcon tone="good" />
        {actions[outcome.made].done}
      </span>
    );
  }
  const status = outcome?.status ?? row.status;
  // A recalled version has the same status after a rejection.
  const isDecided = status !== row.status || outcome?.made === 'reject';
  if (source === 'packages' || source === 'submissions' || isDecided)
    return <StatusLabel status={status} />;
  return row.at === null ? <span>unknown</span> : <Time at={row.at} as="age" />;
};

/** The row of one version. */
export const PackageRow = (props: PackageRowProps) => {
  const { row, source, outcome, href, isCurrent, isSelected, select, groups, uses } = props;
  const isGone = outcome?.status !== undefined && outcome.status !== row.status;
  return (
    <tr
      data-key={row.key}
      class={`${isCurrent ? 'current' : ''} ${isGone ? 'gone' : ''} ${isSelected ? 'selected' : ''} ${groups?.isMember(row) ? 'older' : ''}`}
    >
      <td class="select">
        <label>
          <input
            type="checkbox"
            checked={isSelected}
            onClick={({ shiftKey }) => select(row.key, { isRange: shiftKey })}
          />
          <span class="visually-hidden">
            Select {revealHidden(row.name).slice(0, 100)} {revealHidden(row.version).slice(0, 100)}
          </span>
        </label>
      </td>
      <th scope="row" class="package">
        <a href={href} aria-current={isCurrent ? 'true' : undefined}>
          <Line class="name" text={row.name} /> <Line class="version" text={row.version} />
        </a>
        <GroupCell row={row} groups={groups} />
        <UsedByLabel uses={uses} />
        <span class="under">
          <Scan scan={row.scan} isInWords />
          {' · '}
          <Issues issues={row.issues} reasons={row.reasons} isInWords />
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
      <td class="by">{row.by ? <Line text={row.by} /> : <span class="muted">–</span>}</td>
      <td class="license-cell">
        <LicenseCell {...row} href={href} />
      </td>
      <td class="scan">
        <Scan scan={row.scan} />
      </td>
      <td class="issues">
        <Issues issues={row.issues} reasons={row.reasons} />
      </td>
      <td class="status-cell">
        <StatusCell row={row} source={source} outcome={outcome} />
      </td>
    </tr>
  );
};
