import { type Ecosystem, ecosystems } from './ecosystem.ts';
import { canonicalizeName, isPackageName } from './package-name.ts';
import { canonicalizeVersion, isPackageVersion } from './package-version.ts';

/** What identifies one package version. Names and versions are as submitted; keys make equal spellings equal. */
export interface PackageId {
  readonly ecosystem: Ecosystem;
  readonly name: string;
  readonly version: string;
}

/** Which version of a name a request means. */
export interface PackageSelector {
  readonly name: string;
  readonly ecosystem?: Ecosystem | undefined;
  readonly version?: string | undefined;
}

/** `ecosystem#name` in canonical spelling: `#` occurs in no name. */
export const toPackageKey = (ecosystem: Ecosystem, name: string): string =>
  `${ecosystem}#${canonicalizeName(ecosystem, name)}`;

/** `ecosystem#name#version` in canonical spelling: equal exactly for the same package version. */
export const toVersionKey = ({ ecosystem, name, version }: PackageId): string =>
  `${toPackageKey(ecosystem, name)}#${canonicalizeVersion(ecosystem, version)}`;

/** The ecosystems in which the selector can mean anything: those whose grammar allows its name and version. */
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

/** Every package (without a version) or package version that the selector can mean; empty if it breaks every grammar. */
export const listCandidateKeys = (selector: PackageSelector): string[] => {
  const { name, version } = selector;
  return listCandidateEcosystems(selector).map((ecosystem) =>
    version === undefined
      ? toPackageKey(ecosystem, name)
      : toVersionKey({ ecosystem, name, version }),
  );
};
