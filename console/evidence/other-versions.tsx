import type { VersionEvidence } from '../../shared/api/schemas/evidence.ts';
import { formatAddress } from '../address/address.ts';
import type { VersionId } from '../address/version-id.ts';
import { useQuery } from '../api/use-query.ts';
import { ErrorMessage, Skeleton } from '../parts/placeholders.tsx';
import { StatusLabel } from '../parts/status-marks.tsx';
import { Line, Text } from '../parts/text.tsx';
import { TimeAndActor } from '../parts/time-and-actor.tsx';
import { useSession } from '../session/session.ts';
import { Section } from './section.tsx';

const shownFirst = 10;

type Earlier = VersionEvidence['earlier'][number];

const Decision = ({
  decision: { at, by, token_label, reason },
}: {
  readonly decision: Earlier;
}) => (
  <span class="muted">
    {' '}
    <TimeAndActor at={at} by={by} label={token_label} />
    {reason && (
      <>
        {': '}
        <Text text={reason} />
      </>
    )}
  </span>
);

interface OtherVersionsProps {
  readonly id: VersionId;
  readonly earlier: readonly Earlier[];
}

/** The other versions of the package, with their status and their decisions. */
export const OtherVersions = ({ id, earlier }: OtherVersionsProps) => {
  const { api } = useSession();
  const { ecosystem, name } = id;
  const { value, error, reload } = useQuery(`${ecosystem}/${name}`, (signal) =>
    api.listVersions({ path: { name }, query: { ecosystem, limit: shownFirst + 1 } }, { signal }),
  );
  const others = value?.packages.filter(({ version }) => version !== id.version) ?? [];
  const more = (value?.total ?? 0) - 1 - others.length;
  return (
    <Section title="Other versions" id="versions">
      {error && <ErrorMessage error={error} retry={reload} />}
      {!value && !error && <Skeleton lines={2} label="Loading other versions" />}
      {value && others.length === 0 && <p class="muted">No other version is in the registry.</p>}
      <ul class="versions">
        {others.map((other) => {
          const decision = earlier.find(({ version }) => version === other.version);
          return (
            <li key={other.version}>
              <a
                href={formatAddress({
                  view: 'packages',
                  id: other,
                  query: { search: name.slice(0, 100) },
                })}
              >
                <Line class="version" text={other.version} />
              </a>{' '}
              <StatusLabel status={other.status} />
              {decision && <Decision decision={decision} />}
            </li>
          );
        })}
      </ul>
      {more > 0 && (
        <a
          href={formatAddress({
            view: 'packages',
            query: { search: name.slice(0, 100), ecosystem },
          })}
        >
          {more} more
        </a>
      )}
    </Section>
  );
};
