import type { Ecosystem } from '../../ecosystems/ecosystem.ts';
import { osvNames } from '../../ecosystems/rules.ts';

/** Name of the registry's own scanner. Uploaded reports must not use it. */
export const ownTool = 'osv.dev';

/** Returns true if the registry scans versions of this ecosystem itself. Others, such as images, are left to uploads. */
export const isScannedAutomatically = ({ ecosystem }: { readonly ecosystem: Ecosystem }): boolean =>
  osvNames[ecosystem] !== null;
