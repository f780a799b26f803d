import { useState } from 'preact/hooks';
import type { VersionEvidence } from '../../shared/api/schemas/evidence.ts';
import {
  cautionSince,
  describeChange,
  describeInterval,
  describeSinceStatus,
  describeUnknown,
  listFirstChanges,
  noEarlierVersion,
  noKnownChange,
} from '../../shared/domain/changes/describe-change.ts';
import { StatusIcon, StatusLabel } from '../parts/status-marks.tsx';
import { Line, Text } from '../parts/text.tsx';
import { Time } from '../parts/time.tsx';
import { Section } from './section.tsx';

type Compared = NonNullable<VersionEvidence['changes']>;
type Change = Compared['changes'][number];

/** Characters of a name or a value before somebody opens it. */
const shownCharacters = 120;

const Value = ({ text }: { readonly text: string }) => (
  <span class="change-value">
    <Text text={text} most={shownCharacters} />
  </span>
);

/** The values of a change: one, or the earlier and the new one. */
const Values = ({ values: [first, second] }: { readonly values: readonly string[] }) => (
  <>
    {first !== undefined && <Value text={first} />}
    {second !== undefined && (
      <>
        {' '}
        <span aria-hidden="true">→</span>
        <span class="visually-hidden">becomes</span> <Value text={second} />
      </>
    )}
  </>
);

const Notes = ({
  notes,
  firstPublishedAt,
}: Pick<ReturnType<typeof describeChange>, 'notes' | 'firstPublishedAt'>) => {
  if (notes.length === 0) return null;
  return (
    <span class="muted">
      {' ('}
      <Line text={notes.join('; ')} />
      {firstPublishedAt !== null && (
        <>
          ; first published <Time at={firstPublishedAt} />
        </>
      )}
      {')'}
    </span>
  );
};

const ChangeItem = ({ change }: { readonly change: Change }) => {
  const { sign, kind, field, name, values, ...notes } = describeChange(change);
  return (
    <li>
      <span class="status-icon" aria-hidden="true">
        {sign}
      </span>
      <span>
        <span class="visually-hidden">
          <Line text={kind} />{' '}
        </span>
        <Line text={field} />
        {name !== null && (
          <>
            {' '}
            <Value text={name} />
          </>
        )}
        {values.length > 0 && ': '}
        <Values values={values} />
        <Notes {...notes} />
      </span>
    </li>
  );
};

/** The earlier version with its status, and when the version was published after the one before it. */
const Since = ({ compared }: { readonly compared: Compared & { readonly since: string } }) => {
  const { since, since_status, published_at, previous } = compared;
  const interval = describeInterval(compared);
  return (
    <p>
      Since <Line class="version" text={since} />{' '}
      {since_status === 'approved' ? (
        <StatusLabel status={since_status} />
      ) : (
        <span class="warn">
          <StatusIcon tone="warn" /> <Line text={describeSinceStatus({ since_status })} />
        </span>
      )}
      {published_at !== null && (
        <span class="muted">
          {', published '}
          <Time at={published_at} />
          {previous && interval !== null && (
            <>
              , {interval} after <Line text={previous.version} />
            </>
          )}
        </span>
      )}
    </p>
  );
};

const List = ({ compared: { changes, change_count } }: { readonly compared: Compared }) => {
  const [isExpanded, setExpanded] = useState(false);
  const first = listFirstChanges(changes);
  const shown = isExpanded ? changes : first;
  return (
    <>
      <ul class="changes">
        {shown.map((change, at) => (
          // Entries of one field may have equal names, once shortened.
          <ChangeItem key={`${change.field} ${change.name} ${at}`} change={change} />
        ))}
      </ul>
      {changes.length > first.length && (
        <button type="button" class="plain" onClick={() => setExpanded(!isExpanded)}>
          {isExpanded ? 'Show fewer changes' : `Show all ${changes.length} changes`}
        </button>
      )}
      {change_count > changes.length && (
        <p class="muted">
          {change_count - changes.length} more are not shown, because the answer of the registry is
          limited.
        </p>
      )}
    </>
  );
};

const Comparison = ({ compared }: { readonly compared: Compared & { readonly since: string } }) => {
  const caution = cautionSince(compared);
  const unknown = describeUnknown(compared.unknown);
  return (
    <>
      <Since compared={compared} />
      {compared.change_count > 0 ? <List compared={compared} /> : <p>{noKnownChange}</p>}
      {unknown !== null && (
        <p class="muted">
          <Text text={unknown} />
        </p>
      )}
      {caution !== null && (
        <p class="muted">
          <Text text={caution} />
        </p>
      )}
    </>
  );
};

/** What changed since an earlier version. Equal fields take no room, nor does a decided version without a comparison. */
export const Changes = ({ evidence }: { readonly evidence: VersionEvidence }) => {
  const { changes: compared, package: detail } = evidence;
  if (compared === null && detail.status !== 'pending') return null;
  return (
    <Section title="Changes" id="changes">
      {compared === null && <p class="muted">Not compared with an earlier version.</p>}
      {compared?.since === null && <p class="muted">{noEarlierVersion}</p>}
      {compared && compared.since !== null && (
        <Comparison compared={{ ...compared, since: compared.since }} />
      )}
    </Section>
  );
};
