import type { Ecosystem } from '../packages/ecosystem.ts';

/** Ecosystems that the registry scans itself. Images need uploads, since OSV.dev does not cover them. */
export const scannedEcosystems = ['pypi', 'npm', 'maven'] as const satisfies readonly Ecosystem[];

/** Name of the registry's own scanner. Uploaded reports must not use it. */
export const ownTool = 'osv.dev';

export const isScannedAutomatically = ({ ecosystem }: { readonly ecosystem: Ecosystem }): boolean =>
  scannedEcosystems.some((scanned) => scanned === ecosystem);
