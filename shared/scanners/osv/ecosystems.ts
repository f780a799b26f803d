import type { PackageId } from '../../domain/packages/package-id.ts';
import { canonicalizeName } from '../../domain/packages/package-name.ts';
import type { scannedEcosystems } from '../../domain/vulnerabilities/scanned-ecosystems.ts';

/** OSV.dev's names of the scanned ecosystems. */
const osvNames: Readonly<Record<(typeof scannedEcosystems)[number], string>> = {
  pypi: 'PyPI',
  npm: 'npm',
  maven: 'Maven',
};

/** Package in OSV.dev's notation. */
export interface OsvPackage {
  readonly ecosystem: string;
  readonly name: string;
}

/** Returns the package of a version in OSV.dev's notation, or undefined if OSV.dev does not cover its ecosystem. */
export const toOsvPackage = ({ ecosystem, name }: PackageId): OsvPackage | undefined =>
  ecosystem === 'docker'
    ? undefined
    : { ecosystem: osvNames[ecosystem], name: canonicalizeName(ecosystem, name) };

/** True if an entry of a record is about this package. Databases spell PyPI names differently. */
export const isSamePackage = (one: OsvPackage, other: OsvPackage): boolean => {
  if (one.ecosystem !== other.ecosystem) return false;
  if (one.ecosystem !== 'PyPI') return one.name === other.name;
  return canonicalizeName('pypi', one.name) === canonicalizeName('pypi', other.name);
};
