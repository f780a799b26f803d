import { fileEcosystems } from '../ecosystems/ecosystem.ts';
import { toOriginSetting } from './origin-setting.ts';

/** What decides whether a file may be used: the rules of approvals, and the addresses of all origins. */
export const checkSettings = [
  'scanFailedFrom',
  'scanWarningFrom',
  'scanUnrated',
  'blockingObjections',
  'requireApprovedLicense',
  'minimumAgeDays',
  ...fileEcosystems.map(toOriginSetting),
  'gateOrigins',
] as const;
