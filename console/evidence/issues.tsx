import type { VersionEvidence } from '../../shared/api/schemas/evidence.ts';
import type { Status } from '../../shared/domain/review/status.ts';
import { StatusIcon } from '../parts/status-marks.tsx';
import { Text } from '../parts/text.tsx';
import { Section } from './section.tsx';

type Objection = VersionEvidence['objections'][number];

/** Where what an objection speaks of is told. */
const places: Readonly<Partial<Record<Objection['code'], string>>> = {
  scan_failed: 'scans',
  scan_missing: 'scans',
  license_rejected: 'license',
  license_unreadable: 'license',
  license_not_approved: 'license',
  license_unreviewed: 'license',
  license_differs: 'license',
  not_found_at_origin: 'facts',
  deprecated: 'facts',
  yanked: 'facts',
  too_young: 'facts',
  install_scripts: 'facts',
};

const show = (place: string): void => {
  const title = document.getElementById(place);
  title?.scrollIntoView({ block: 'start' });
  title?.focus();
};

const IssueItem = ({ objection: { code, message, blocks } }: { readonly objection: Objection }) => {
  const place = places[code];
  return (
    <li class={blocks ? 'bad' : 'warn'}>
      <StatusIcon tone={blocks ? 'bad' : 'warn'} />
      <span>
        <Text text={message} />{' '}
        {place && (
          <button type="button" class="plain" onClick={() => show(place)}>
            Show
            <span class="visually-hidden"> what that is about: {place}</span>
          </button>
        )}
      </span>
    </li>
  );
};

/** The issues of a version: the blocking ones first, then the warnings. */
export const IssueSections = ({
  objections,
  status,
}: {
  readonly objections: readonly Objection[];
  readonly status: Status;
}) => {
  const blocking = objections.filter(({ blocks }) => blocks);
  const others = objections.filter(({ blocks }) => !blocks);
  const title = status === 'approved' ? 'Would block an approval today' : 'Blocked by';
  return (
    <>
      {blocking.length > 0 && (
        <Section title={title} id="blocking">
          <ul class="objections">
            {blocking.map((objection) => (
              <IssueItem key={objection.code} objection={objection} />
            ))}
          </ul>
        </Section>
      )}
      {others.length > 0 && (
        <Section title="Warnings" id="warnings">
          <ul class="objections">
            {others.map((objection) => (
              <IssueItem key={objection.code} objection={objection} />
            ))}
          </ul>
        </Section>
      )}
      {objections.length === 0 && (
        <Section title="Issues" id="blocking">
          <p class="status-label good">
            <StatusIcon tone="good" /> No issues are known.
          </p>
        </Section>
      )}
    </>
  );
};
