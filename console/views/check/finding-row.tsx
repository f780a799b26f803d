import type {
  Finding,
  FindingStatus,
  Place,
} from '../../../shared/use-cases/dependency-check/findings.ts';
import { formatAddress } from '../../address/address.ts';
import { StatusIcon, type Tone } from '../../parts/status-marks.tsx';
import { Line, Text } from '../../parts/text.tsx';

const tones: Readonly<Record<FindingStatus, Tone>> = {
  ...{ approved: 'good', pending: 'idle', rejected: 'bad' },
  ...{ other_content: 'bad', other_source: 'bad' },
  ...{ unknown: 'warn', unpinned: 'warn', unreadable: 'bad' },
};

/** The words for statuses of findings. */
const statusTexts: Readonly<Record<FindingStatus, string>> = {
  ...{ approved: 'approved', pending: 'pending', rejected: 'rejected' },
  ...{ other_content: 'different content', other_source: 'different source' },
  ...{ unknown: 'not in the registry', unpinned: 'not pinned', unreadable: 'unreadable' },
};

const Name = ({ finding }: { readonly finding: Finding }) => {
  const { ecosystem, name, version, status } = finding;
  const shown = (
    <>
      <Line text={name} /> {version !== null && <bdi class="version">{version}</bdi>}
    </>
  );
  // A version that is not in the registry has no evidence to show.
  const isKnown = ecosystem !== null && version !== null && status !== 'unknown';
  if (!isKnown) return <b>{shown}</b>;
  return (
    <a href={formatAddress({ view: 'packages', id: { ecosystem, name, version } })}>{shown}</a>
  );
};

const PlaceLine = ({ place: { file, line, through } }: { readonly place: Place }) => (
  <span>
    <Line text={line === undefined ? file : `${file}:${line}`} />
    {through && through.length > 0 && (
      <>
        , via <Line text={through.join(' → ')} />
      </>
    )}
  </span>
);

const maxPlaces = 3;

/** One finding: the status of a version, the reasons, and an approved version to use instead. */
export const FindingRow = ({ finding }: { readonly finding: Finding }) => {
  const { ecosystem, status, reasons, nearest_approved, found_in } = finding;
  const why = reasons.map(({ message }) => message).join(' ');
  return (
    <li class="finding">
      <p class="finding-head">
        <span class={`status-label ${tones[status]}`}>
          <StatusIcon tone={tones[status]} />
          {statusTexts[status]}
        </span>{' '}
        <Name finding={finding} /> <span class="muted">{ecosystem}</span>
      </p>
      {why !== '' && (
        <p>
          <Text text={why} />
        </p>
      )}
      {nearest_approved && status !== 'approved' && (
        <p>
          Approved version: <bdi class="version">{nearest_approved}</bdi>
        </p>
      )}
      <p class="muted">
        {found_in.slice(0, maxPlaces).map((place, at) => (
          <span key={`${place.file} ${place.line}`}>
            {at > 0 && '; '}
            <PlaceLine place={place} />
          </span>
        ))}
        {found_in.length > maxPlaces && ` and ${found_in.length - maxPlaces} more`}
      </p>
    </li>
  );
};
