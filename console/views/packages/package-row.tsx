import type { Outcome } from '../../decisions/outcomes.ts';
import {
  attentionWords,
  describeScan,
  Mark,
  StatusWord,
  sumCounts,
  toLicenseTone,
  toScanTone,
} from '../../parts/marks.tsx';
import { showHidden } from '../../parts/show-hidden.ts';
import { Line } from '../../parts/text.tsx';
import { Time } from '../../parts/time.tsx';
import type { Row } from './rows.ts';
import type { Source } from './use-listing.ts';

interface PackageRowProps {
  readonly row: Row;
  readonly source: Source;
  readonly outcome: Outcome | undefined;
  readonly href: string;
  readonly isCurrent: boolean;
  readonly isSelected: boolean;
  readonly select: (key: string) => void;
}

const sendingWords = { approve: 'approving', reject: 'rejecting' } as const;

/** Where it stands by now, or how long it has waited. */
const Standing = ({
  row,
  source,
  outcome,
}: Pick<PackageRowProps, 'row' | 'source' | 'outcome'>) => {
  if (outcome?.sending) return <span class="word idle">{sendingWords[outcome.sending]} …</span>;
  if (outcome?.refused) {
    return (
      <span class="word bad" title={outcome.refused.error.detail}>
        <Mark tone="bad" />
        {outcome.refused.error.status === null ? 'no answer' : 'refused'}
        <span class="heard">: {outcome.refused.error.detail}</span>
      </span>
    );
  }
  const status = outcome?.status ?? row.status;
  if (source === 'packages' || status !== row.status) return <StatusWord status={status} />;
  return row.at === null ? <span>unknown</span> : <Time at={row.at} as="age" />;
};

const ScanCell = ({ scan }: Pick<Row, 'scan'>) => {
  const words = describeScan(scan);
  const count = scan ? sumCounts(scan.severity) : 0;
  return (
    <span title={words} class={`word ${toScanTone(scan)}`}>
      <Mark tone={toScanTone(scan)} />
      {count > 0 && <span aria-hidden="true">{count}</span>}
      <span class="heard">{words}</span>
    </span>
  );
};

const LicenseCell = ({
  license,
  license_status,
  reasons,
}: Pick<Row, 'license' | 'license_status' | 'reasons'>) => {
  // What needs attention is listed without its license, and with why.
  if (reasons) {
    return (
      <span class="word bad">{reasons.map((reason) => attentionWords[reason]).join(', ')}</span>
    );
  }
  return license === null ? (
    <span class="aside">none</span>
  ) : (
    <span class="license">
      <span class={`word ${toLicenseTone(license_status)}`}>
        <Mark tone={toLicenseTone(license_status)} />
        <span class="heard">{license_status}: </span>
      </span>
      <Line text={license} />
    </span>
  );
};

/** What speaks against it, in short; the sentences are with the package. */
const Against = ({ objections, reasons }: Pick<Row, 'objections' | 'reasons'>) => {
  const blocking = objections.filter(({ blocks }) => blocks).length;
  const words = reasons
    ? reasons.map((reason) => attentionWords[reason])
    : objections.map(({ message }) => showHidden(message));
  const count = words.length;
  if (count === 0)
    return (
      <span class="aside">
        –<span class="heard"> nothing</span>
      </span>
    );
  const tone = blocking > 0 || reasons ? 'bad' : 'warn';
  return (
    <span title={words.join('\n').slice(0, 600)} class={`word ${tone}`}>
      <Mark tone={tone} />
      <span aria-hidden="true">{count}</span>
      <span class="heard">{words.join(' ').slice(0, 600)}</span>
    </span>
  );
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
          <input type="checkbox" checked={isSelected} onChange={() => select(row.key)} />
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
          <ScanCell scan={row.scan} />{' '}
          {(row.reasons ?? row.objections).length > 0 && (
            <Against objections={row.objections} reasons={row.reasons} />
          )}{' '}
          {row.ecosystem}
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
        <ScanCell scan={row.scan} />
      </td>
      <td class="against">
        <Against objections={row.objections} reasons={row.reasons} />
      </td>
      <td class="standing-cell">
        <Standing row={row} source={source} outcome={outcome} />
      </td>
    </tr>
  );
};
