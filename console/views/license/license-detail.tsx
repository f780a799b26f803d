import { useState } from 'preact/hooks';
import type { LicenseRecord } from '../../../shared/api/schemas/license.ts';
import { describeActor } from '../../../shared/domain/tokens/describe-actor.ts';
import { useQuery } from '../../api/use-query.ts';
import { ExternalLink } from '../../parts/external-link.tsx';
import { ErrorMessage, Skeleton } from '../../parts/placeholders.tsx';
import { QuotedText } from '../../parts/quoted-text.tsx';
import { StatusIcon, toLicenseTone } from '../../parts/status-marks.tsx';
import { Line } from '../../parts/text.tsx';
import { Time } from '../../parts/time.tsx';
import { hasScope, useSession } from '../../session/session.ts';
import { Compatibility } from './compatibility.tsx';
import { LicenseForm } from './license-form.tsx';
import { LicenseVersions } from './license-versions.tsx';

const describeAnswer = (answer: boolean | null): string =>
  answer === null ? 'unknown' : answer ? 'yes' : 'no';

/** The terms of a license, its status, and who decided. */
const Terms = ({ license }: { readonly license: LicenseRecord }) => {
  const { title, status, category, url, note, reviewed_at } = license;
  const by = describeActor({ by: license.reviewed_by, token_label: license.reviewed_token_label });
  return (
    <>
      <p>
        <span class={`status-label ${toLicenseTone(status)}`}>
          <StatusIcon tone={toLicenseTone(status)} />
          {status}
        </span>{' '}
        {reviewed_at === null ? (
          <span class="muted">by the license policy</span>
        ) : (
          <span class="muted">
            <Time at={reviewed_at} />
            {by !== null && ' by '}
            {by !== null && <Line text={by} />}
          </span>
        )}
      </p>
      {title !== null && (
        <p>
          <Line text={title} />
        </p>
      )}
      <p class="muted">
        {category} · requires attribution: {describeAnswer(license.requires_attribution)} · allows
        commercial use: {describeAnswer(license.allows_commercial)}
      </p>
      {url !== null && (
        <p>
          <ExternalLink address={url}>License text</ExternalLink>
        </p>
      )}
      {note !== null && <QuotedText label="Note of the decision" text={note} />}
    </>
  );
};

/** A license with its terms, the decision on it, its compatibility, and the versions that state it. */
export const LicenseDetail = ({ name }: { readonly name: string }) => {
  const session = useSession();
  const [isDeciding, setDeciding] = useState(false);
  const { value, error, reload } = useQuery(name, (signal) =>
    session.api.showLicense({ path: { name } }, { signal }),
  );
  const canDecide = hasScope(session, 'review') && value !== undefined;
  return (
    <section class="page" aria-labelledby="license-title">
      <h2 id="license-title">
        License <Line text={value?.name ?? name} />
      </h2>
      {error && <ErrorMessage error={error} retry={reload} />}
      {!value && !error && <Skeleton lines={4} label="Loading the license" />}
      {value && <Terms license={value} />}
      {canDecide && !isDeciding && (
        <p class="actions">
          <button type="button" onClick={() => setDeciding(true)}>
            Decide on the license
          </button>
        </p>
      )}
      {canDecide && isDeciding && (
        <LicenseForm
          license={value}
          close={() => {
            setDeciding(false);
            reload();
          }}
        />
      )}
      {value && <Compatibility name={value.name} />}
      <LicenseVersions name={name} />
    </section>
  );
};
