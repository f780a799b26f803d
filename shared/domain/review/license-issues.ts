import type {
  EffectiveLicense,
  LicenseEvidence,
  StatedLicense,
} from '../licenses/effective-license.ts';
import type { Issue } from './approval.ts';

interface LicenseDemands {
  /** True if only an approved license is accepted. */
  readonly requireApproved: boolean;
  /** True if the submission and the package state the same license. */
  readonly isSame: boolean;
}

/** Returns a subject for a message, such as `The license MIT License, which is normalized to MIT,`. */
const describe = ({ source, text, normalized }: EffectiveLicense): string => {
  const clauses = [
    ...(source === 'upstream' ? ['which the package declares'] : []),
    ...(normalized === null || normalized === text ? [] : [`which is normalized to ${normalized}`]),
  ];
  return clauses.length === 0
    ? `The license ${text}`
    : `The license ${text}, ${clauses.join(' and ')},`;
};

const describeUnreadable = ({ source, text }: EffectiveLicense): string => {
  if (source === 'submitted') {
    return `The submitted license ${text} is not a valid license expression, so its terms are unknown.`;
  }
  return 'The package declares a license that cannot be read. Read its license file before you approve it.';
};

const listEffectiveLicenseIssues = (
  effective: EffectiveLicense | null,
  { requireApproved }: Pick<LicenseDemands, 'requireApproved'>,
): Issue | undefined => {
  const code = requireApproved ? 'license_not_approved' : 'license_unreviewed';
  const end = requireApproved ? ', but an approved license is required.' : '.';
  if (effective === null) return { code, message: `No license is known${end}` };
  const { status } = effective;
  if (status === 'approved') return undefined;
  if (status === 'unreadable')
    return { code: 'license_unreadable', message: describeUnreadable(effective) };
  if (status === 'rejected') {
    return { code: 'license_rejected', message: `${describe(effective)} is rejected.` };
  }
  return { code, message: `${describe(effective)} is ${status}${end}` };
};

/** Returns an issue for a rejected submitted license if the package's own declaration is unreadable. */
const listSubmittedLicenseIssues = ({
  submitted,
  effective,
}: LicenseEvidence): Issue | undefined =>
  submitted?.status === 'rejected' && effective?.status === 'unreadable'
    ? listEffectiveLicenseIssues({ source: 'submitted', ...submitted }, { requireApproved: false })
    : undefined;

const show = ({ text, normalized }: StatedLicense): string => normalized ?? text;

const listLicenseDifferences = (
  { submitted, upstream }: LicenseEvidence,
  { isSame }: LicenseDemands,
): Issue | undefined => {
  if (!submitted || !upstream || submitted.status === 'unreadable' || isSame) return undefined;
  const message = `It was submitted under the license ${show(submitted)}, but the package declares ${show(upstream)}.`;
  return { code: 'license_differs', message };
};

/**
 * Returns the license issues of a version. The effective license is rejected, unreadable or not approved, or the
 * package declares a license other than the submitted one.
 */
export const listLicenseIssues = (license: LicenseEvidence, demands: LicenseDemands): Issue[] =>
  [
    listEffectiveLicenseIssues(license.effective, demands),
    listSubmittedLicenseIssues(license),
    listLicenseDifferences(license, demands),
  ].filter((issue) => issue !== undefined);
