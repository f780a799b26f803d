import type { PackageId } from '../../domain/packages/package-id.ts';
import { canonicalizeName } from '../../domain/packages/package-name.ts';
import type { scannedEcosystems } from '../../domain/vulnerabilities/scanned-ecosystems.ts';

/** The ecosystems that are scanned as OSV.dev names them. */
const osvNames: Readonly<Record<(typeof scannedEcosystems)[number], string>> = {
  pypi: 'PyPI',
  npm: 'npm',
  maven: 'Maven',
};

/** A package as OSV.dev names it. */
export interface OsvPackage {
  readonly ecosystem: string;
  readonly name: string;
}

/** The package of a version as OSV.dev names it; undefined if OSV.dev does not cover its ecosystem. */
export const toOsvPackage = ({ ecosystem, name }: PackageId): OsvPackage | undefined =>
  ecosystem === 'docker'
    ? undefined
    : { ecosystem: osvNames[ecosystem], name: canonicalizeName(ecosystem, name) };

/** Whether an entry of a record is about this package. Databases spell names of PyPI as they like. */
export const isSamePackage = (one: OsvPackage, other: OsvPackage): boolean => {
  if (one.ecosystem !== other.ecosystem) return false;
  if (one.ecosystem !== 'PyPI') return one.name === other.name;
  return canonicalizeName('pypi', one.name) === canonicalizeName('pypi', other.name);
};
