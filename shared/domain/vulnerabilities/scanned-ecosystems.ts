import type { Ecosystem } from '../packages/ecosystem.ts';

/** The ecosystems whose versions the registry scans by itself. Images are left to uploads: OSV.dev knows none. */
export const scannedEcosystems = ['pypi', 'npm', 'maven'] as const satisfies readonly Ecosystem[];

/** The tool by which the registry scans them: no report may name it. */
export const ownTool = 'osv.dev';

export const isScannedByItself = ({ ecosystem }: { readonly ecosystem: Ecosystem }): boolean =>
  scannedEcosystems.some((scanned) => scanned === ecosystem);
