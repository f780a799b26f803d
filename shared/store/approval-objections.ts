import { licenseObjection, type Objection } from '../domain/approval.ts';
import { evaluate } from '../domain/licenses/evaluate.ts';
import { parseLicense } from '../domain/licenses/expression.ts';
import type { LicenseStatus } from '../domain/licenses/status.ts';
import { readLicenses, recordOf } from './licenses/license-records.ts';
import type { PackageItem } from './package-item.ts';

interface ApprovalRules {
  /** Whether a version is only approved where its license is. */
  readonly requireApprovedLicense: boolean;
}

const statusOf = async (license: string | null): Promise<LicenseStatus> => {
  const expression = license === null ? undefined : parseLicense(license);
  if (!expression) return 'unreviewed';
  const stored = await readLicenses(expression);
  return evaluate(expression, (term) => recordOf(term, stored)).status;
};

/** Finds what stands in the way of approving a version. */
export const approvalObjections =
  ({ requireApprovedLicense: requireApproved }: ApprovalRules) =>
  async ({ license }: PackageItem): Promise<readonly Objection[]> => {
    const objection = licenseObjection(license, await statusOf(license), { requireApproved });
    return objection ? [objection] : [];
  };
