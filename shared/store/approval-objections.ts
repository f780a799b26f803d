import {
  licenseObjection,
  type Objection,
  scanObjection,
  unreadableLicense,
} from '../domain/approval.ts';
import { evaluate } from '../domain/licenses/evaluate.ts';
import { parseLicense } from '../domain/licenses/expression.ts';
import { readLicenses, recordOf } from './licenses/license-records.ts';
import type { PackageItem } from './package-item.ts';
import { findLatestFinishedScan } from './scans.ts';

interface ApprovalRules {
  /** Whether a version is only approved where its license is. */
  readonly requireApprovedLicense: boolean;
}

const objectionToLicense = async (
  license: string | null,
  { requireApprovedLicense: requireApproved }: ApprovalRules,
): Promise<Objection | undefined> => {
  if (license === null) return licenseObjection(license, 'unreviewed', { requireApproved });
  const expression = parseLicense(license);
  if (!expression) return unreadableLicense(license);
  const stored = await readLicenses(expression);
  const { status } = evaluate(expression, (term) => recordOf(term, stored));
  return licenseObjection(license, status, { requireApproved });
};

/** Finds what stands in the way of approving a version. */
export const approvalObjections =
  (rules: ApprovalRules) =>
  async (version: PackageItem): Promise<readonly Objection[]> => {
    const objections = await Promise.all([
      objectionToLicense(version.license, rules),
      findLatestFinishedScan(version).then(scanObjection),
    ]);
    return objections.filter((objection) => objection !== undefined);
  };
