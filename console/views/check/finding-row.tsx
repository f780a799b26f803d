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

const Name = ({ finding }: { readonly finding: Finding }) => {
  const { ecosystem, name, version, status } = finding;
  const shown = (
    <>
      <Line text={name} /> {version !== null && <bdi class="version">{version}</bdi>}
    </>
  );
  // Of what nobody submitted there is nothing to show.
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
        , by way of <Line text={through.join(' → ')} />
      </>
    )}
  </span>
);

const mostPlaces = 3;

/** One thing that the files use: where it stands, why, and what would do instead. */
export const FindingRow = ({ finding }: { readonly finding: Finding }) => {
  const { ecosystem, status, reasons, nearest_approved, found_in } = finding;
  const why = reasons.map(({ message }) => message).join(' ');
  return (
    <li class="finding">
      <p class="finding-head">
        <span class={`status-label ${tones[status]}`}>
          <StatusIcon tone={tones[status]} />
          {status}
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
          Approved instead: <bdi class="version">{nearest_approved}</bdi>
        </p>
      )}
      <p class="muted">
        {found_in.slice(0, mostPlaces).map((place, at) => (
          <span key={`${place.file} ${place.line}`}>
            {at > 0 && '; '}
            <PlaceLine place={place} />
          </span>
        ))}
        {found_in.length > mostPlaces && ` and ${found_in.length - mostPlaces} more`}
      </p>
    </li>
  );
};
