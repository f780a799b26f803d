import {
  type Objection,
  objectToLicense,
  objectToScan,
  objectToUnreadableLicense,
} from '../domain/approval.ts';
import { parseLicense } from '../domain/licenses/parse-license.ts';
import { findLicense } from '../licensing/find-license.ts';
import type { PackageItem } from '../store/packages/package-item.ts';
import { findLatestFinishedScan } from '../store/scans/scans.ts';

interface ApprovalRules {
  /** Whether a version is only approved where its license is. */
  readonly requireApprovedLicense: boolean;
}

const findLicenseObjection = async (
  license: string | null,
  { requireApprovedLicense: requireApproved }: ApprovalRules,
): Promise<Objection | undefined> => {
  if (license === null) return objectToLicense(license, undefined, { requireApproved });
  const expression = parseLicense(license);
  if (!expression) return objectToUnreadableLicense(license);
  const record = await findLicense(expression);
  return objectToLicense(license, record, { requireApproved });
};

/** Makes what finds all that stands in the way of approving a version. */
export const createObjectionFinder =
  (rules: ApprovalRules) =>
  async (version: PackageItem): Promise<readonly Objection[]> => {
    const objections = await Promise.all([
      findLicenseObjection(version.license, rules),
      findLatestFinishedScan(version).then(objectToScan),
    ]);
    return objections.filter((objection) => objection !== undefined);
  };
