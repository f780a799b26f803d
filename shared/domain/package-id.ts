import { type Ecosystem, ecosystems } from './ecosystem.ts';
import { canonicalName, isPackageName } from './package-name.ts';
import { canonicalVersion, isPackageVersion } from './package-version.ts';

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
export const packageKey = (ecosystem: Ecosystem, name: string): string =>
  `${ecosystem}#${canonicalName(ecosystem, name)}`;

/** `ecosystem#name#version` in canonical spelling: equal exactly for the same package version. */
export const packageVersionKey = ({ ecosystem, name, version }: PackageId): string =>
  `${packageKey(ecosystem, name)}#${canonicalVersion(ecosystem, version)}`;

/** The ecosystems in which the selector can mean anything: those whose grammar allows its name and version. */
const candidateEcosystems = ({ name, ecosystem, version }: PackageSelector): Ecosystem[] =>
  ecosystems.filter(
    (candidate) =>
      (ecosystem === undefined || ecosystem === candidate) &&
      isPackageName(candidate, name) &&
      (version === undefined || isPackageVersion(candidate, version)),
  );

/** Every package (without a version) or package version that the selector can mean; empty if it breaks every grammar. */
export const candidateKeys = (selector: PackageSelector): string[] => {
  const { name, version } = selector;
  return candidateEcosystems(selector).map((ecosystem) =>
    version === undefined
      ? packageKey(ecosystem, name)
      : packageVersionKey({ ecosystem, name, version }),
  );
};
