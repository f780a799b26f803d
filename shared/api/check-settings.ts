import { fileEcosystems } from '../ecosystems/ecosystem.ts';
import { evidenceSettings } from './approval-settings.ts';
import { toOriginSetting } from './origin-setting.ts';

/** Settings of package checks: the rules of approvals, and the URLs of the origins with files. */
export const checkSettings = [
  ...evidenceSettings,
  ...fileEcosystems.map(toOriginSetting),
  'gateOrigins',
  'ownPackages',
] as const;
