import type { ComponentChildren } from 'preact';
import type { VersionEvidence } from '../../shared/api/schemas/evidence.ts';
import type { Ecosystem } from '../../shared/ecosystems/ecosystem.ts';
import { ExternalLink } from '../parts/external-link.tsx';
import { QuotedText } from '../parts/quoted-text.tsx';
import { StatusIcon } from '../parts/status-marks.tsx';
import { Line, Text } from '../parts/text.tsx';
import { Time } from '../parts/time.tsx';
import { Section } from './section.tsx';

type Known = NonNullable<VersionEvidence['facts']>;

/** The registry that packages of an ecosystem come from, unless the operators set a mirror. */
const origins: Readonly<Record<Ecosystem, string>> = {
  npm: 'npm',
  pypi: 'PyPI',
  maven: 'Maven Central',
  docker: 'the image registry',
};

const provenanceTexts = {
  verified: 'verified',
  present: 'attestation not checked:',
  none: 'no attestation',
} as const;

const Warning = ({ children }: { readonly children: ComponentChildren }) => (
  <span class="status-label warn">
    <StatusIcon tone="warn" />
    <span>{children}</span>
  </span>
);

/** The provenance of a version as rows: term and value. */
const listProvenanceRows = (
  provenance: Known['provenance'],
): readonly (readonly [term: string, value: ComponentChildren])[] => {
  if (provenance === null) return [];
  const { status, source_repository, commit, workflow, builder, reason, signatures } = provenance;
  const text = <Text text={reason ?? ''} />;
  return [
    [
      'Provenance',
      status === 'invalid' ? (
        <Warning>invalid: {text}</Warning>
      ) : (
        <>
          {provenanceTexts[status]} {text}
        </>
      ),
    ],
    ['Built from', source_repository && <ExternalLink address={source_repository} />],
    ['Commit', commit && <Line class="version" text={commit} />],
    ['Workflow', workflow && <Text text={workflow} />],
    ['Builder', builder && builder !== workflow && <Text text={builder} />],
    [
      'Signature by the registry upstream',
      signatures === 'invalid' ? <Warning>invalid</Warning> : signatures,
    ],
  ];
};

/** The metadata of a version as rows: term and value. Unknown values have no row. */
const listRows = (facts: Known): readonly (readonly [term: string, value: ComponentChildren])[] => {
  const { published_at, newest_version, deprecated, yanked, install_scripts, provenance } = facts;
  return [
    ['Published', published_at ? <Time at={published_at} as="day" /> : 'unknown date'],
    ['Latest version', newest_version && <Line class="version" text={newest_version} />],
    [
      'Deprecated',
      deprecated === null ? (
        'no'
      ) : (
        <Warning>
          <Text text={deprecated} />
        </Warning>
      ),
    ],
    [
      'Yanked',
      yanked === null ? (
        'no'
      ) : (
        <Warning>
          <Text text={yanked} />
        </Warning>
      ),
    ],
    [
      'Install scripts',
      install_scripts?.length ? (
        <Warning>
          <Text text={install_scripts.join(', ')} />
        </Warning>
      ) : (
        install_scripts && 'none'
      ),
    ],
    ...listProvenanceRows(provenance),
  ];
};

const UpstreamFacts = ({ facts, origin }: { readonly facts: Known; readonly origin: string }) => {
  const { found, reason, checked_at } = facts;
  const checked = (
    <>
      checked <Time at={checked_at} />
    </>
  );
  if (found !== 'yes') {
    return (
      <p>
        {found === 'no' ? `Not found on ${origin}.` : `${origin} could not be checked.`}{' '}
        {reason && <Text text={reason} />} <span class="muted">({checked})</span>
      </p>
    );
  }
  return (
    <>
      <p class="muted">
        According to {origin}, {checked}
      </p>
      <dl class="facts">
        {listRows(facts).flatMap(([term, value]) =>
          value ? [<dt key={`${term} term`}>{term}</dt>, <dd key={term}>{value}</dd>] : [],
        )}
      </dl>
    </>
  );
};

/** The metadata of the version: description and links of the submission, and what its origin reports. */
export const UpstreamMetadata = ({ evidence }: { readonly evidence: VersionEvidence }) => {
  const { facts } = evidence;
  const origin = origins[evidence.package.ecosystem];
  const description = evidence.package.description ?? facts?.description;
  const homepage = evidence.package.homepage ?? facts?.homepage;
  const repository = evidence.package.repository ?? facts?.repository;
  return (
    <Section title="Metadata" id="metadata">
      {description && <QuotedText label="Description" text={description} />}
      {facts ? (
        <UpstreamFacts facts={facts} origin={origin} />
      ) : (
        <p class="muted">{origin} has not been checked yet.</p>
      )}
      {(homepage || repository) && (
        <ul class="links">
          {homepage && (
            <li>
              <span class="muted">Homepage</span> <ExternalLink address={homepage} />
            </li>
          )}
          {repository && (
            <li>
              <span class="muted">Repository</span> <ExternalLink address={repository} />
            </li>
          )}
        </ul>
      )}
    </Section>
  );
};
