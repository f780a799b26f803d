import type { VersionEvidence } from '../../shared/api/schemas/evidence.ts';
import { isSameLicense } from '../../shared/domain/licenses/effective-license.ts';

type LicenseEvidence = VersionEvidence['license'];
type Stated = NonNullable<LicenseEvidence['submitted']>;

/** `GPL v3, which is normalized to GPL-3.0-only: unreviewed` */
const describeStated = ({ text, normalized, status }: Stated): string => {
  const reading =
    normalized === null || normalized === text ? '' : `, which is normalized to ${normalized}`;
  return `${text}${reading}: ${status}`;
};

const describeUpstream = ({ upstream, upstream_declaration }: LicenseEvidence): string => {
  if (upstream) return `the package declares ${describeStated(upstream)}`;
  switch (upstream_declaration) {
    case 'none':
      return 'the package declares none';
    case 'unreadable':
      return 'the package declares one that cannot be read';
    default:
      return 'what the package declares is not known';
  }
};

const describeSubmitted = ({ submitted }: LicenseEvidence): string =>
  submitted ? `submitted as ${describeStated(submitted)}` : 'none submitted';

/** Who states the license that counts, and what the other side states. */
const describeSources = (license: LicenseEvidence): string => {
  const { submitted, upstream, effective } = license;
  if (submitted && upstream && isSameLicense(submitted, upstream)) {
    return 'submitted, and declared by the package';
  }
  if (effective === null) return describeUpstream(license);
  return effective.source === 'submitted'
    ? `submitted; ${describeUpstream(license)}`
    : `declared by the package; ${describeSubmitted(license)}`;
};

/**
 * Describes the license that counts, who states it, and what the other side states. `declared` lists the licenses as the
 * package has them, for one that cannot be read.
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
