import type { Recall } from '../../../shared/api/schemas/recall.ts';
import { nameRecallRecord, removalRecord } from '../../../shared/domain/recalls/recall.ts';
import { formatAddress } from '../../address/address.ts';
import { ErrorMessage, Skeleton } from '../../parts/placeholders.tsx';
import { ShowMore } from '../../parts/show-more.tsx';
import { StatusIcon } from '../../parts/status-marks.tsx';
import { Line, Text } from '../../parts/text.tsx';
import { Time } from '../../parts/time.tsx';
import { useLivePages } from '../../parts/use-live-pages.ts';
import { useSession } from '../../session/session.ts';

const pageSize = 50;

/** The record of malware, with a link to its versions. A removal upstream has no record. */
const RecallRecord = ({ record }: Pick<Recall, 'record'>) => {
  const name = <Line class="version" text={nameRecallRecord(record)} />;
  if (record === removalRecord) return name;
  return <a href={formatAddress({ view: 'vulnerability', query: { id: record } })}>{name}</a>;
};

const RecallItem = ({ recall }: { readonly recall: Recall }) => {
  const { ecosystem, name, version, record, reason, recalled_at, approved_at, ended_at } = recall;
  return (
    <li>
      <p>
        <a href={formatAddress({ view: 'packages', id: recall })}>
          <Line text={name} /> <Line class="version" text={version} />
        </a>{' '}
        {ended_at === null ? (
          <span class="status-label bad">
            <StatusIcon tone="bad" />
            recalled
          </span>
        ) : (
          <span class="status-label idle">
            <StatusIcon tone="idle" />
            ended <Time at={ended_at} />
          </span>
        )}{' '}
        <span class="muted">
          {ecosystem} · <RecallRecord record={record} /> · recalled <Time at={recalled_at} />
          {approved_at !== null && (
            <>
              {' · approved since '}
              <Time at={approved_at} as="day" />
            </>
          )}
        </span>
      </p>
      <p class="muted">
        <Text text={reason} />
      </p>
    </li>
  );
};

/** The recalls of approved versions, the newest first. */
export const Recalls = () => {
  const { api } = useSession();
  const { pages, error, isLoading, reload, showMore } = useLivePages('recalls', (before, signal) =>
    api.listRecalls(
      { query: { limit: pageSize, ...(before !== undefined && { before }) } },
      { signal },
    ),
  );
  const recalls = pages.flatMap((page) => page.recalls);
  const isEmpty = !isLoading && !error && recalls.length === 0;
  return (
    <section class="page-part" aria-labelledby="recalls">
      <h2 id="recalls">Recalls</h2>
      {isEmpty && <p class="muted">No version was recalled.</p>}
      <ul class="rows">
        {recalls.map((recall) => (
          <RecallItem
            key={`${recall.ecosystem}/${recall.name}/${recall.version} ${recall.recalled_at}`}
            recall={recall}
          />
        ))}
      </ul>
      {error && <ErrorMessage error={error} retry={reload} />}
      {isLoading && !error && recalls.length === 0 && (
        <Skeleton lines={4} label="Loading the recalls" />
      )}
      <ShowMore {...{ showMore, isLoading }} />
    </section>
  );
};
