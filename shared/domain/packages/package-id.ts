import { type Ecosystem, ecosystems } from '../../ecosystems/ecosystem.ts';
import { canonicalizeName, isPackageName } from './package-name.ts';
import { canonicalizeVersion, isPackageVersion } from './package-version.ts';

/** Identity of a package version. Names and versions are as submitted; keys are equal for equal spellings. */
export interface PackageId {
  readonly ecosystem: Ecosystem;
  readonly name: string;
  readonly version: string;
}

/** Identity of a package, whatever its version. */
export type PackageName = Pick<PackageId, 'ecosystem' | 'name'>;

/** Version of a package; without a version, any one of that name. */
export type PackageTarget = PackageName & { readonly version?: string };

/** Version that a request selects. Absent fields match everything. */
export interface PackageSelector {
  readonly name: string;
  readonly ecosystem?: Ecosystem | undefined;
  readonly version?: string | undefined;
}

/** Returns the package key `ecosystem#name` in canonical spelling. `#` occurs in no name. */
export const toPackageKey = (ecosystem: Ecosystem, name: string): string =>
  `${ecosystem}#${canonicalizeName(ecosystem, name)}`;

/** Returns the version key `ecosystem#name#version` in canonical spelling. Equal only for the same package version. */
export const toVersionKey = ({ ecosystem, name, version }: PackageId): string =>
  `${toPackageKey(ecosystem, name)}#${canonicalizeVersion(ecosystem, version)}`;

/** Returns the ecosystems whose grammar allows the selector's name and version. */
export const listCandidateEcosystems = ({
  name,
  ecosystem,
  version,
}: PackageSelector): Ecosystem[] =>
  ecosystems.filter(
    (candidate) =>
      (ecosystem === undefined || ecosystem === candidate) &&
      isPackageName(candidate, name) &&
      (version === undefined || isPackageVersion(candidate, version)),
  );

/**
 * Returns the keys of every package (without a version) or package version that a selector can mean. Empty if no
 * grammar allows it.
 */
export const listCandidateKeys = (selector: PackageSelector): string[] => {
  const { name, version } = selector;
  return listCandidateEcosystems(selector).map((ecosystem) =>
    version === undefined
      ? toPackageKey(ecosystem, name)
      : toVersionKey({ ecosystem, name, version }),
  );
};
