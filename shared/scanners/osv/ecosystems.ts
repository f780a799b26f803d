import type { PackageId } from '../../domain/packages/package-id.ts';
import { canonicalizeName } from '../../domain/packages/package-name.ts';
import { ecosystems } from '../../ecosystems/ecosystem.ts';
import { osvNames } from '../../ecosystems/rules.ts';

/** Package in OSV.dev's notation. */
export interface OsvPackage {
  readonly ecosystem: string;
  readonly name: string;
}

/** Returns the package of a version as OSV.dev names it; undefined if OSV.dev does not cover its ecosystem. */
export const toOsvPackage = ({ ecosystem, name }: PackageId): OsvPackage | undefined => {
  const osvName = osvNames[ecosystem];
  return osvName === null
    ? undefined
    : { ecosystem: osvName, name: canonicalizeName(ecosystem, name) };
};

/** Returns true if an entry of a record is about this package. Databases spell names of PyPI as they like. */
export const isSamePackage = (one: OsvPackage, other: OsvPackage): boolean => {
  if (one.ecosystem !== other.ecosystem) return false;
  const ecosystem = ecosystems.find((known) => osvNames[known] === one.ecosystem);
  if (!ecosystem) return one.name === other.name;
  return canonicalizeName(ecosystem, one.name) === canonicalizeName(ecosystem, other.name);
};
