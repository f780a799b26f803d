import {
  attentionWords,
  describeScan,
  Mark,
  nameScan,
  sumCounts,
  toLicenseTone,
  toScanTone,
} from '../../parts/marks.tsx';
import { showHidden } from '../../parts/show-hidden.ts';
import { Line } from '../../parts/text.tsx';
import type { Row } from './rows.ts';

interface InWords {
  /** Whether the cell has no column head, so that it has to say what it is about. */
  readonly isInWords?: boolean;
}

/** The result of all scans: a mark and a number below a column head, else words. */
export const Scan = ({ scan, isInWords = false }: Pick<Row, 'scan'> & InWords) => {
  const words = describeScan(scan);
  const tone = toScanTone(scan);
  if (isInWords) {
    return (
      <span title={words} class={`word ${tone}`}>
        <Mark tone={tone} />
        {nameScan(scan)}
      </span>
    );
  }
  const count = scan ? sumCounts(scan.severity) : 0;
  return (
    <span title={words} class={`word ${tone}`}>
      <Mark tone={tone} />
      {count > 0 && <span aria-hidden="true">{count}</span>}
      <span class="heard">{words}</span>
    </span>
  );
};

/** The license with the status of that license, or the reasons for attention: the registry lists these without a license. */
export const LicenseCell = ({
  license,
  license_status,
  reasons,
}: Pick<Row, 'license' | 'license_status' | 'reasons'>) => {
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

const countIssues = (count: number): string => `${count} ${count === 1 ? 'issue' : 'issues'}`;

/** The number of issues; their sentences on hover, to screen readers, and with the package. */
export const Issues = ({
  objections,
  reasons,
  isInWords = false,
}: Pick<Row, 'objections' | 'reasons'> & InWords) => {
  const isBlocked = objections.some(({ blocks }) => blocks);
  const words = reasons
    ? reasons.map((reason) => attentionWords[reason])
    : objections.map(({ message }) => showHidden(message));
  if (words.length === 0) {
    return isInWords ? (
      <>no issues</>
    ) : (
      <span class="aside">
        –<span class="heard"> no issues</span>
      </span>
    );
  }
  const tone = isBlocked || reasons ? 'bad' : 'warn';
  return (
    <span title={words.join('\n').slice(0, 600)} class={`word ${tone}`}>
      <Mark tone={tone} />
      <span aria-hidden="true">{isInWords ? countIssues(words.length) : words.length}</span>
      <span class="heard">{words.join(' ').slice(0, 600)}</span>
    </span>
  );
};
