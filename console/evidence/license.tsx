import type { VersionEvidence } from '../../shared/api/schemas/evidence.ts';
import { isSameLicense } from '../../shared/domain/licenses/effective-license.ts';
import type { StatedStatus } from '../../shared/domain/licenses/status.ts';
import { StatusIcon, toLicenseTone } from '../parts/status-marks.tsx';
import { Text } from '../parts/text.tsx';
import { Section } from './section.tsx';

type LicenseEvidence = VersionEvidence['license'];
type Stated = NonNullable<LicenseEvidence['submitted']>;

const LicenseStatusLabel = ({ status }: { readonly status: StatedStatus }) => (
  <span class={`status-label ${toLicenseTone(status)}`}>
    <StatusIcon tone={toLicenseTone(status)} />
    {status}
  </span>
);

const Statement = ({ license: { text, normalized, status } }: { readonly license: Stated }) => (
  <>
    <Text text={text} />
    {normalized !== null && normalized !== text && (
      <>
        {', which reads as '}
        <Text text={normalized} />
      </>
    )}{' '}
    <LicenseStatusLabel status={status} />
  </>
);

interface UpstreamProps {
  readonly license: LicenseEvidence;
  /** As the package has them. */
  readonly declared: readonly string[];
}

const Upstream = ({ license: { upstream, upstream_declaration }, declared }: UpstreamProps) => {
  if (upstream) return <Statement license={upstream} />;
  if (upstream_declaration === 'none') return <>none</>;
  if (upstream_declaration === 'unknown') return <>not known</>;
  return (
    <>
      <Text text={declared.join(', ')} /> <LicenseStatusLabel status="unreadable" />
    </>
  );
};

const Counts = () => <span class="muted"> (this one counts)</span>;

/** The license that was submitted, the one that the package declares, and which of them counts. */
export const License = ({ license, declared }: UpstreamProps) => {
  const { submitted, upstream, effective } = license;
  const isMatch = submitted !== null && upstream !== null && isSameLicense(submitted, upstream);
  const counts = isMatch ? undefined : effective?.source;
  return (
    <Section title="License" id="license">
      <p>
        {'Submitted: '}
        {submitted === null ? 'none' : <Statement license={submitted} />}
        {counts === 'submitted' && <Counts />}
      </p>
      <p>
        {isMatch ? (
          <span class="muted">Matches the package's own metadata.</span>
        ) : (
          <>
            {'Upstream: '}
            <Upstream license={license} declared={declared} />
          </>
        )}
        {counts === 'upstream' && <Counts />}
      </p>
    </Section>
  );
};
