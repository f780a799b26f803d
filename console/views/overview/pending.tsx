import type { ReviewSummary } from '../../../shared/api/schemas/review-summary.ts';
import { formatAddress } from '../../address/address.ts';
import { describeIssueCode } from '../../parts/issue-code.ts';
import { formatCount } from './format-count.ts';

/** The most issues that the card shows. */
const maxIssues = 6;

/** One line: a count, and the list that it counts. */
interface Line {
  readonly name: string;
  readonly count: number;
  readonly href: string;
}

const Counts = ({ lines, label }: { readonly lines: readonly Line[]; readonly label: string }) => {
  const highest = Math.max(...lines.map(({ count }) => count), 1);
  return (
    <ul class="counts" aria-label={label}>
      {lines.map(({ name, count, href }) => (
        <li key={name}>
          {count > 0 ? <a href={href}>{name}</a> : name}
          <b>{formatCount(count)}</b>
          <span class="counts-bar">
            <span style={{ width: `${(count / highest) * 100}%` }} />
          </span>
        </li>
      ))}
    </ul>
  );
};

const nameAge = (days: number): string => (days === 1 ? '1 day or more' : `${days} days or more`);

/** Returns the versions that waited for a time or longer, as the filter of the queue counts them. */
const listAges = (pages: readonly ReviewSummary[]): Line[] => {
  const ages = pages[0]?.by_age ?? [];
  return ages.flatMap(({ from_days }) =>
    from_days === 0
      ? []
      : [
          {
            name: nameAge(from_days),
            count: pages
              .flatMap(({ by_age }) => by_age)
              .filter((one) => one.from_days >= from_days)
              .reduce((sum, { versions }) => sum + versions, 0),
            href: formatAddress({ view: 'queue', query: { age: String(from_days) } }),
          },
        ],
  );
};

const listIssues = ({ issues }: ReviewSummary): Line[] =>
  issues
    .filter(({ blocking }) => blocking > 0)
    .slice(0, maxIssues)
    .map(({ code, blocking }) => ({
      name: describeIssueCode(code),
      count: blocking,
      href: formatAddress({ view: 'queue', query: { issue: code } }),
    }));

interface PendingProps {
  /** The counts so far, the versions that waited longest first. */
  readonly pages: readonly [ReviewSummary, ...ReviewSummary[]];
  /** Counts further versions; undefined if all are counted. */
  readonly showMore: (() => void) | undefined;
}

/** The pending versions: how long they wait, and which issues block them. */
export const Pending = ({ pages, showMore }: PendingProps) => {
  const [first] = pages;
  const pending = pages.reduce((sum, page) => sum + page.pending, 0);
  const issues = listIssues(first);
  if (pending === 0) return <p class="muted">No version is pending.</p>;
  return (
    <>
      <p>
        <a href="#/queue">
          <b>{formatCount(pending)}</b> pending
        </a>
        {showMore && (
          <>
            {' that waited longest. '}
            <button type="button" class="plain" onClick={showMore}>
              Count more
            </button>
          </>
        )}
      </p>
      <h3>Waiting for</h3>
      <Counts lines={listAges(pages)} label="Pending versions by waiting time" />
      <h3>
        Blocked by
        {first.evaluated < pending &&
          `, of the ${formatCount(first.evaluated)} that waited longest`}
      </h3>
      {issues.length === 0 ? (
        <p class="muted">No issue blocks an approval.</p>
      ) : (
        <Counts lines={issues} label="Pending versions by blocking issue" />
      )}
    </>
  );
};
