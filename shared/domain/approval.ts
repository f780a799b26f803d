import { RegistryError } from './errors.ts';
import type { LicenseEvidence } from './evidence.ts';
import type { PackageId } from './package-id.ts';

import { severities } from './scans/severity.ts';
import type { PictureEvidence } from './scans/standing.ts';

/** Something that stands in the way of an approval, unless the reviewer overrides it. */
export interface Objection {
  readonly code: 'license_rejected' | 'license_not_approved' | 'scan_failed';
  readonly message: string;
}

/**
 * What the license of a version says against approving it: that it is rejected or, where the setting demands it, not
 * approved.
 */
export const objectToLicense = (
  license: LicenseEvidence | null,
  { requireApproved }: { readonly requireApproved: boolean },
): Objection | undefined => {
  if (license === null) {
    const message = 'It names no license, and only an approved license will do.';
    return requireApproved ? { code: 'license_not_approved', message } : undefined;
  }
  const { claimed, reading, status } = license;
  if (reading === null) {
    const message = `The license ${claimed} is no valid expression, so that nothing is known of it.`;
    return { code: 'license_not_approved', message };
  }
  const shown = reading === claimed ? claimed : `${claimed}, which reads as ${reading},`;
  if (status === 'rejected') {
    return { code: 'license_rejected', message: `The license ${shown} is rejected.` };
  }
  if (!requireApproved || status === 'approved') return undefined;
  const message = `The license ${shown} is ${status}, and only an approved license will do.`;
  return { code: 'license_not_approved', message };
};

/** What the scans of a version say against approving it: that they failed. */
export const objectToScans = ({ status, severity }: PictureEvidence): Objection | undefined => {
  if (status !== 'failed') return undefined;
  const counts = severities
    .filter((one) => severity[one] > 0)
    .map((one) => `${severity[one]} ${one}`);
  return { code: 'scan_failed', message: `Its scans failed: they found ${counts.join(', ')}.` };
};

/** Refuses an approval that something stands in the way of. */
export const checkObjections = (
  { name, version }: PackageId,
  objections: readonly Objection[],
): void => {
  if (objections.length === 0) return;
  const why = objections.map(({ message }) => message).join(' ');
  throw new RegistryError(
    'approval_blocked',
    `${name} ${version} was not approved. ${why} To approve it all the same, send override: true and a reason.`,
    { members: { reasons: objections } },
  );
};
