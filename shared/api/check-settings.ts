import { fileEcosystems } from '../ecosystems/ecosystem.ts';
import { toOriginSetting } from './origin-setting.ts';

/** Settings of package checks: the rules of approvals, and the URLs of the origins with files. */
export const checkSettings = [
  'scanFailedFrom',
  'scanWarningFrom',
  'scanUnrated',
  'blockingIssues',
  'requireApprovedLicense',
  'minimumAgeDays',
  ...fileEcosystems.map(toOriginSetting),
  'gateOrigins',
  'ownPackages',
  'osvScanning',
  'collectFacts',
] as const;
