import { fileEcosystems } from '../ecosystems/ecosystem.ts';
import { evidenceSettings } from './approval-settings.ts';
import { toOriginSetting } from './origin-setting.ts';

/** Settings of the evidence with the addresses of files: the rules of approvals, and the URLs of the origins with files. */
export const fileEvidenceSettings = [
  ...evidenceSettings,
  ...fileEcosystems.map(toOriginSetting),
  'gateOrigins',
] as const;

/** Settings of package checks. */
export const checkSettings = [...fileEvidenceSettings, 'ownPackages'] as const;
