import type { VersionEvidence } from '../../shared/api/schemas/evidence.ts';
import { Mark } from '../parts/marks.tsx';
import { Outward } from '../parts/outward.tsx';
import { Quoted } from '../parts/quoted.tsx';
import { Line, Text } from '../parts/text.tsx';
import { Time } from '../parts/time.tsx';
import { Section } from './section.tsx';

type Known = NonNullable<VersionEvidence['facts']>;

const Warning = ({ title, text }: { readonly title: string; readonly text: string }) => (
  <li class="warn">
    <Mark tone="warn" />
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
        <span class="aside">
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
        <span class="aside">
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
export const Facts = ({ evidence }: { readonly evidence: VersionEvidence }) => {
  const { facts } = evidence;
  const description = evidence.package.description ?? facts?.description;
  const homepage = evidence.package.homepage ?? facts?.homepage;
  const repository = evidence.package.repository ?? facts?.repository;
  return (
    <Section title="Facts" id="facts">
      {description && <Quoted label="Description" text={description} />}
      {facts ? <Origin facts={facts} /> : <p class="aside">Its origin was not asked yet.</p>}
      {(homepage || repository) && (
        <ul class="links">
          {homepage && (
            <li>
              <span class="aside">home</span> <Outward address={homepage} />
            </li>
          )}
          {repository && (
            <li>
              <span class="aside">code</span> <Outward address={repository} />
            </li>
          )}
        </ul>
      )}
    </Section>
  );
};
