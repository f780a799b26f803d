import type { Ecosystem } from '../../shared/ecosystems/ecosystem.ts';

/** Identifies one version of a package. */
export interface VersionId {
  readonly ecosystem: Ecosystem;
  readonly name: string;
  readonly version: string;
}

/** Returns the key of a version: `npm/left-pad/1.3.0`. */
export const toKey = ({ ecosystem, name, version }: VersionId): string =>
  `${ecosystem}/${name}/${version}`;
