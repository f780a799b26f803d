import { formatAddress } from '../../address/address.ts';
import { useQuery } from '../../api/use-query.ts';
import { EmptyState, ErrorMessage, Skeleton } from '../../parts/placeholders.tsx';
import { summarizeCounts } from '../../parts/review-summary.ts';
import { ShowMore } from '../../parts/show-more.tsx';
import { Line } from '../../parts/text.tsx';
import { useOnScreen } from '../../parts/use-on-screen.ts';
import { usePages } from '../../parts/use-pages.ts';
import { useSession } from '../../session/session.ts';

interface BatchItem {
  readonly batch: string;
  readonly submitted_on: string;
}

/** A batch. Its counts are read when the row comes on the screen. */
const BatchRow = ({ batch, submitted_on }: BatchItem) => {
  const { api } = useSession();
  const { ref, isSeen } = useOnScreen<HTMLLIElement>();
  const { value } = useQuery(`${batch} ${isSeen}`, async (signal) =>
    isSeen ? api.summarizeReviews({ query: { batch } }, { signal }) : undefined,
  );
  const counts = value && [
    `${value.pending.toLocaleString('en')} pending`,
    `${(value.approved + value.rejected).toLocaleString('en')} decided`,
    ...[summarizeCounts(value)].filter((text) => text !== ''),
  ];
  return (
    <li ref={ref}>
      <a href={formatAddress({ view: 'queue', query: { batch } })}>
        <Line text={batch} />
      </a>{' '}
      <span class="muted">
        {counts ? counts.join(' · ') : '…'} · last submission {submitted_on}
      </span>
    </li>
  );
};

/** A batch of several days is on the page of its last day, and again on later pages. */
const dropRepeated = (batches: readonly BatchItem[]): BatchItem[] =>
  [...new Map(batches.toReversed().map((one) => [one.batch, one])).values()].toReversed();

/** The view of all batches, the newest first, with what their versions wait for. */
export const Batches = () => {
  const { api } = useSession();
  const { pages, error, isLoading, reload, showMore } = usePages('batches', (before, signal) =>
    api.listBatches({ query: before === undefined ? {} : { before } }, { signal }),
  );
  const batches = dropRepeated(pages.flatMap((page) => page.batches));
  const isEmpty = !isLoading && !error && batches.length === 0;
  return (
    <section class="page" aria-labelledby="batches-title">
      <h2 id="batches-title">Batches</h2>
      {isEmpty && (
        <EmptyState title="There is no batch">
          A batch is a name for submissions that belong together. To submit one:{' '}
          <code>registry check --submit --batch shop</code>
        </EmptyState>
      )}
      <ul class="rows">
        {batches.map((one) => (
          <BatchRow key={one.batch} {...one} />
        ))}
      </ul>
      {error && <ErrorMessage error={error} retry={reload} />}
      {isLoading && !error && <Skeleton lines={5} label="Loading the batches" />}
      <ShowMore {...{ showMore, isLoading }} />
    </section>
  );
};
