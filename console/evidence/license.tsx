import type { LicenseStatus } from '../../shared/domain/licenses/status.ts';
import type { VersionEvidence } from '../../shared/schemas/evidence.ts';
import { Mark, toLicenseTone } from '../parts/marks.tsx';
import { Text } from '../parts/text.tsx';
import { Section } from './section.tsx';

type LicenseEvidence = VersionEvidence['license'];

const LicenseStatusWord = ({ status }: { readonly status: LicenseStatus }) => (
  <span class={`word ${toLicenseTone(status)}`}>
    <Mark tone={toLicenseTone(status)} />
    {status}
  </span>
);

interface StatementProps {
  readonly said: string;
  readonly reading: string | null;
  readonly status: LicenseStatus | null;
}

const Statement = ({ said, reading, status }: StatementProps) => (
  <>
    <Text text={said} />
    {reading !== null && reading !== said && (
      <>
        {', which reads as '}
        <Text text={reading} />
      </>
    )}{' '}
    {status && <LicenseStatusWord status={status} />}
  </>
);

/** What is claimed of the license, and what the package itself says of it. */
export const License = ({ license }: { readonly license: LicenseEvidence }) => {
  const { claimed, reading, status, declared, declared_reading, declared_status } = license;
  const declares = declared.join(', ');
  const isSame = claimed !== null && declared_reading === reading;
  return (
    <Section title="License" id="license">
      <p>
        {claimed === null ? (
          'The submission names none.'
        ) : (
          <Statement said={claimed} reading={reading} status={status} />
        )}
      </p>
      {declares !== '' && (
        <p>
          {isSame ? (
            <span class="aside">The package itself says the same.</span>
          ) : (
            <>
              {'The package itself says '}
              <Statement said={declares} reading={declared_reading} status={declared_status} />
            </>
          )}
        </p>
      )}
    </Section>
  );
};
