import type { VersionEvidence } from '../../shared/api/schemas/evidence.ts';
import { isSameLicense } from '../../shared/domain/licenses/effective-license.ts';

type LicenseEvidence = VersionEvidence['license'];
type Stated = NonNullable<LicenseEvidence['submitted']>;

/** Describes a license and its status: `GPL v3, normalized to GPL-3.0-only: unreviewed`. */
const describeStated = ({ text, normalized, status }: Stated): string => {
  const isSame = normalized === null || normalized === text;
  return `${text}${isSame ? '' : `, normalized to ${normalized}`}: ${status}`;
};

const describeUpstream = ({ upstream, upstream_declaration }: LicenseEvidence): string => {
  if (upstream) return `upstream declares ${describeStated(upstream)}`;
  switch (upstream_declaration) {
    case 'none':
      return 'upstream declares none';
    case 'unreadable':
      return 'upstream declares an unreadable one';
    default:
      return 'upstream license not known';
  }
};

const describeSubmitted = ({ submitted }: LicenseEvidence): string =>
  submitted ? `submitted as ${describeStated(submitted)}` : 'none submitted';

/** Describes the source of the effective license, and the license of the other source. */
const describeSources = (license: LicenseEvidence): string => {
  const { submitted, upstream, effective } = license;
  if (submitted && upstream && isSameLicense(submitted, upstream)) {
    return 'submitted and upstream agree';
  }
  if (effective === null) return describeUpstream(license);
  return effective.source === 'submitted'
    ? `submitted; ${describeUpstream(license)}`
    : `upstream; ${describeSubmitted(license)}`;
};

/**
 * Describes the effective license, its source, and the license of the other source.
 * @param declared the licenses as upstream declares them, for an unreadable one
 */
export const describeLicenseEvidence = (
  license: LicenseEvidence,
  declared: readonly string[] = [],
): string => {
  const { effective } = license;
  const sources = `(${describeSources(license)})`;
  if (effective === null) return `none ${sources}`;
  const { text, normalized, status } = effective;
  const counted = { text: text ?? declared.join('; '), normalized, status };
  return `${counted.text === '' ? 'unreadable' : describeStated(counted)} ${sources}`;
};
