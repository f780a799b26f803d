import { nameRecallRecord } from '../../../shared/domain/recalls/recall.ts';
import { revealHidden } from '../../parts/reveal-hidden.ts';
import {
  attentionLabels,
  describeScan,
  labelScan,
  StatusIcon,
  sumCounts,
  toLicenseTone,
  toScanTone,
} from '../../parts/status-marks.tsx';
import { Line } from '../../parts/text.tsx';
import type { Row } from './rows.ts';

interface InWords {
  /** True if the cell has no column header, so that its text must be complete. */
  readonly isInWords?: boolean;
}

/** The merged scan result: an icon and a number below a column header, otherwise words. */
export const Scan = ({ scan, isInWords = false }: Pick<Row, 'scan'> & InWords) => {
  const words = describeScan(scan);
  const tone = toScanTone(scan);
  if (isInWords) {
    return (
      <span title={words} class={`status-label ${tone}`}>
        <StatusIcon tone={tone} />
        {labelScan(scan)}
      </span>
    );
  }
  const count = scan ? sumCounts(scan.severity) : 0;
  return (
    <span title={words} class={`status-label ${tone}`}>
      <StatusIcon tone={tone} />
      {count > 0 && <span aria-hidden="true">{count}</span>}
      <span class="visually-hidden">{words}</span>
    </span>
  );
};

/** The license with its status. For versions that need attention, the reasons: the registry lists them without a license. */
export const LicenseCell = ({
  license,
  license_status,
  reasons,
  record,
  href,
}: Pick<Row, 'license' | 'license_status' | 'reasons' | 'record'> & { readonly href: string }) => {
  if (record !== null) {
    return (
      <span class="status-label bad">
        {attentionLabels.recalled}{' '}
        <a href={href} tabIndex={-1}>
          <Line text={nameRecallRecord(record)} />
        </a>
      </span>
    );
  }
  if (reasons) {
    return (
      <span class="status-label bad">
        {reasons.map((reason) => attentionLabels[reason]).join(', ')}
      </span>
    );
  }
  return license === null ? (
    <span class="muted">none</span>
  ) : (
    <span class="license">
      <span class={`status-label ${toLicenseTone(license_status)}`}>
        <StatusIcon tone={toLicenseTone(license_status)} />
        <span class="visually-hidden">{license_status}: </span>
      </span>
      <Line text={license} />
    </span>
  );
};

const countIssues = (count: number): string => `${count} ${count === 1 ? 'issue' : 'issues'}`;

/** The number of issues. The tooltip and screen readers have the sentences. */
export const Issues = ({
  issues,
  reasons,
  isInWords = false,
}: Pick<Row, 'issues' | 'reasons'> & InWords) => {
  const isBlocked = issues.some(({ blocks }) => blocks);
  const words = reasons
    ? reasons.map((reason) => attentionLabels[reason])
    : issues.map(({ message }) => revealHidden(message));
  if (words.length === 0) {
    return isInWords ? (
      <>no issues</>
    ) : (
      <span class="muted">
        –<span class="visually-hidden"> no issues</span>
      </span>
    );
  }
  const tone = isBlocked || reasons ? 'bad' : 'warn';
  return (
    <span title={words.join('\n').slice(0, 600)} class={`status-label ${tone}`}>
      <StatusIcon tone={tone} />
      <span aria-hidden="true">{isInWords ? countIssues(words.length) : words.length}</span>
      <span class="visually-hidden">{words.join(' ').slice(0, 600)}</span>
    </span>
  );
};
