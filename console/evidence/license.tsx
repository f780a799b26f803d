import type { VersionEvidence } from '../../shared/api/schemas/evidence.ts';
import { isSameLicense } from '../../shared/domain/licenses/effective-license.ts';
import type { GivenStatus } from '../../shared/domain/licenses/license-status.ts';
import { formatAddress } from '../address/address.ts';
import { StatusIcon, toLicenseTone } from '../parts/status-marks.tsx';
import { Line, Text } from '../parts/text.tsx';
import { Section } from './section.tsx';

type LicenseEvidence = VersionEvidence['license'];
type Stated = NonNullable<LicenseEvidence['submitted']>;

const LicenseStatusLabel = ({ status }: { readonly status: GivenStatus }) => (
  <span class={`status-label ${toLicenseTone(status)}`}>
    <StatusIcon tone={toLicenseTone(status)} />
    {status === 'unreadable' ? 'not recognized' : status}
  </span>
);

/** Maximum number of links for one statement. */
const mostLinks = 5;

/** Returns the licenses in an expression, each once: `MIT` and `GPL-2.0-only` of `(MIT OR GPL-2.0-only)`. */
const listNames = (expression: string): string[] => [
  ...new Set(
    expression.split(/\s+(?:AND|OR)\s+/).map((name) => name.replaceAll(/[()]/g, '').trim()),
  ),
];

/** Links to the pages of the licenses in a statement. */
const LicenseLinks = ({ license: { text, normalized } }: { readonly license: Stated }) => (
  <span class="license-links">
    {listNames(normalized ?? text)
      .slice(0, mostLinks)
      .map((name) => (
        <a
          key={name}
          href={formatAddress({ view: 'license', query: { name: name.slice(0, 255) } })}
        >
          Open <Line text={name} />
        </a>
      ))}
  </span>
);

const Statement = ({ license }: { readonly license: Stated }) => {
  const { text, normalized, status } = license;
  return (
    <>
      <Text text={text} />
      {normalized !== null && normalized !== text && (
        <>
          {', normalized to '}
          <Text text={normalized} />
        </>
      )}{' '}
      <LicenseStatusLabel status={status} />
      {status !== 'unreadable' && <LicenseLinks license={license} />}
    </>
  );
};

interface UpstreamProps {
  readonly license: LicenseEvidence;
  /** The licenses in the package's own metadata. */
  readonly declared: readonly string[];
}

const Upstream = ({ license: { upstream, upstream_declaration }, declared }: UpstreamProps) => {
  if (upstream) return <Statement license={upstream} />;
  if (upstream_declaration === 'none') return <>none</>;
  if (upstream_declaration === 'unknown') return <>unknown</>;
  return (
    <>
      <Text text={declared.join(', ')} /> <LicenseStatusLabel status="unreadable" />
    </>
  );
};

const EffectiveNote = () => <span class="muted"> (used for the decision)</span>;

/** The submitted license, the license upstream, and which one the registry uses. */
export const License = ({ license, declared }: UpstreamProps) => {
  const { submitted, upstream, effective } = license;
  const isMatch = submitted !== null && upstream !== null && isSameLicense(submitted, upstream);
  const counts = isMatch ? undefined : effective?.source;
  return (
    <Section title="License" id="license">
      <p>
        {'Submitted: '}
        {submitted === null ? 'none' : <Statement license={submitted} />}
        {counts === 'submitted' && <EffectiveNote />}
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
        {counts === 'upstream' && <EffectiveNote />}
      </p>
    </Section>
  );
};
