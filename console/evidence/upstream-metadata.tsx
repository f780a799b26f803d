import type { VersionEvidence } from '../../shared/api/schemas/evidence.ts';
import { ExternalLink } from '../parts/external-link.tsx';
import { QuotedText } from '../parts/quoted-text.tsx';
import { StatusIcon } from '../parts/status-marks.tsx';
import { Line, Text } from '../parts/text.tsx';
import { Time } from '../parts/time.tsx';
import { Section } from './section.tsx';

type Known = NonNullable<VersionEvidence['facts']>;

const Warning = ({ title, text }: { readonly title: string; readonly text: string }) => (
  <li class="warn">
    <StatusIcon tone="warn" />
    <span>
      {title}: <Text text={text} />
    </span>
  </li>
);

const Origin = ({ facts }: { readonly facts: Known }) => {
  const { found, reason, published_at, newest_version, deprecated, yanked } = facts;
  const { install_scripts, provenance, asked_at } = facts;
  if (found !== 'yes') {
    return (
      <p>
        {found === 'no' ? 'Its origin does not have it.' : 'Its origin could not be asked.'}{' '}
        {reason && <Text text={reason} />}{' '}
        <span class="muted">
          Asked <Time at={asked_at} />.
        </span>
      </p>
    );
  }
  return (
    <>
      <p>
        {published_at ? (
          <>
            published <Time at={published_at} as="day" />
          </>
        ) : (
          'published at an unknown time'
        )}
        {deprecated === null && yanked === null && ', neither deprecated nor taken back'}
        {install_scripts?.length === 0 && ', no install scripts'}
        {provenance && ', with an attestation of its build'}
        {newest_version && (
          <>
            {'; newest is '}
            <Line class="version" text={newest_version} />
          </>
        )}
        .{' '}
        <span class="muted">
          Asked <Time at={asked_at} />.
        </span>
      </p>
      <ul class="objections">
        {deprecated !== null && <Warning title="Deprecated" text={deprecated} />}
        {yanked !== null && <Warning title="Taken back" text={yanked} />}
        {install_scripts && install_scripts.length > 0 && (
          <Warning title="Runs when it is installed" text={install_scripts.join(', ')} />
        )}
      </ul>
    </>
  );
};

/** What the submission says, and what the origin of the package does. */
export const UpstreamMetadata = ({ evidence }: { readonly evidence: VersionEvidence }) => {
  const { facts } = evidence;
  const description = evidence.package.description ?? facts?.description;
  const homepage = evidence.package.homepage ?? facts?.homepage;
  const repository = evidence.package.repository ?? facts?.repository;
  return (
    <Section title="Facts" id="facts">
      {description && <QuotedText label="Description" text={description} />}
      {facts ? <Origin facts={facts} /> : <p class="muted">Its origin was not asked yet.</p>}
      {(homepage || repository) && (
        <ul class="links">
          {homepage && (
            <li>
              <span class="muted">home</span> <ExternalLink address={homepage} />
            </li>
          )}
          {repository && (
            <li>
              <span class="muted">code</span> <ExternalLink address={repository} />
            </li>
          )}
        </ul>
      )}
    </Section>
  );
};
