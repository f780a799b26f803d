import { useState } from 'preact/hooks';
import type { HeldRecallPage } from '../../../shared/api/schemas/held-recall.ts';
import { useQuery } from '../../api/use-query.ts';
import { ErrorMessage, Skeleton } from '../../parts/placeholders.tsx';
import { StatusIcon } from '../../parts/status-marks.tsx';
import { Line, Text } from '../../parts/text.tsx';
import { Time } from '../../parts/time.tsx';
import { TimeAndActor } from '../../parts/time-and-actor.tsx';
import { useStale } from '../../parts/use-stale.ts';
import { hasScope, useSession } from '../../session/session.ts';
import { useListRefreshes } from '../../state/list-refresh.ts';
import { type HeldRecordDecision, HeldRecordForm } from './held-record-form.tsx';

type HeldRecord = HeldRecallPage['held_recalls'][number];

/** The most records on the page. A decision makes room for further ones. */
const maxRecords = 100;

/** Why a record recalls nothing by itself. Unknown reasons keep their code. */
const reasonTexts: ReadonlyMap<string, string> = new Map([
  ['bare_range', 'names all versions, and so old ones'],
  ['too_many', 'names more old versions than a wrong record should'],
]);

const countVersions = (versions: number): string =>
  `${versions.toLocaleString('en')} approved ${versions === 1 ? 'version' : 'versions'}`;

interface HeldRecordItemProps {
  readonly record: HeldRecord;
  /** Loads the records again. */
  readonly reload: () => void;
}

const HeldRecordItem = ({ record: held, reload }: HeldRecordItemProps) => {
  const { record, ecosystem, summary, reasons, versions, packages, held_at, confirmed } = held;
  const canReview = hasScope(useSession(), 'review');
  const [asked, setAsked] = useState<HeldRecordDecision | null>(null);
  const close = (): void => setAsked(null);
  return (
    <li class="held-record">
      <p>
        <Line class="version" text={record} /> <span class="muted">{ecosystem}</span> names{' '}
        {countVersions(versions)} of <Line text={packages.join(', ')} />
      </p>
      {summary !== null && (
        <p>
          <Text text={summary} />
        </p>
      )}
      <p class="muted">
        The record {reasons.map((reason) => reasonTexts.get(reason) ?? reason).join(', and ')}. On
        hold since <Time at={held_at} />.
      </p>
      {confirmed && (
        <p class="status-label idle">
          <StatusIcon tone="idle" />
          Confirmed <TimeAndActor at={confirmed.at} by={confirmed.by} label={null} />: its versions
          are recalled within minutes. <Text text={confirmed.reason} />
        </p>
      )}
      {canReview && !confirmed && asked === null && (
        <p class="actions">
          <button type="button" onClick={() => setAsked('recall')}>
            Recall {countVersions(versions)}
            <span class="visually-hidden"> of {record}</span>
          </button>
          <button type="button" onClick={() => setAsked('dismiss')}>
            Dismiss<span class="visually-hidden"> {record}</span>
          </button>
        </p>
      )}
      {asked && <HeldRecordForm record={held} decision={asked} {...{ close, reload }} />}
    </li>
  );
};

/** The records of malware that name too many versions, and that recall them only after a decision. */
export const HeldRecords = () => {
  const { api } = useSession();
  const refreshes = useListRefreshes();
  const { value, error, reload } = useQuery(String(refreshes), (signal) =>
    api.listHeldRecalls({ query: { limit: maxRecords } }, { signal }),
  );
  const page = useStale(value);
  return (
    <section class="page-part" aria-labelledby="held-records">
      <h2 id="held-records">Records of malware on hold</h2>
      {error && <ErrorMessage error={error} retry={reload} />}
      {!page && !error && <Skeleton lines={2} label="Loading the records" />}
      {page?.held_recalls.length === 0 && (
        <p class="muted">No record of malware waits for a decision.</p>
      )}
      {page && page.held_recalls.length > 0 && (
        <p class="muted">
          Until somebody decides, the versions stay approved, and rules approve nothing of their
          packages.
        </p>
      )}
      <ul class="rows">
        {page?.held_recalls.map((record) => (
          <HeldRecordItem
            key={`${record.record} ${record.held_at}`}
            record={record}
            reload={reload}
          />
        ))}
      </ul>
      {page?.next && (
        <p class="muted">There are more records. Decide on these first to see them.</p>
      )}
    </section>
  );
};
