import * as docker from './docker/rules.ts';
import type { Ecosystem } from './ecosystem.ts';
import * as maven from './maven/rules.ts';
import * as npm from './npm/rules.ts';
import type { PurlName, PurlRules } from './purl-rule.ts';
import * as pypi from './pypi/rules.ts';
import type { TextRule, VersionOrder } from './text-rule.ts';

/**
 * The exports of `rules.ts` in the folder of an ecosystem. They are pure: browsers, servers and the command line share
 * them. Each export has a table below, so that bundles include only the rules that they use.
 */
interface EcosystemRules {
  readonly name: TextRule;
  readonly version: TextRule;
  /** Order of the versions; null if they have none, as tags of images. */
  readonly versionOrder: VersionOrder | null;
  readonly purls: PurlRules;
  /** Returns the parts of the package URL of a canonical name. */
  readonly toPurlName: (canonicalName: string) => PurlName;
  /** Name of the ecosystem at OSV.dev; null if OSV.dev does not cover the ecosystem. */
  readonly osvName: string | null;
  /** True if `-`, `_` and `.` are equal in names. */
  readonly hasEqualSeparators: boolean;
  /** True if lockfiles pin packages by the hashes of their files. */
  readonly hasHashedLockfiles: boolean;
  /** True if the file hosts are unknown in advance: only the pages of the origin list them. */
  readonly hasUnnamedFileHosts: boolean;
  /** True if a policy pattern names a registry or namespace that does not contain the package. */
  readonly isElsewhere: ((pattern: string, canonicalName: string) => boolean) | undefined;
  /** Removes the part of a lower-case name that anybody could choose otherwise, for the comparison of similar names. */
  readonly dropNameAffix: ((lowerCaseName: string) => string) | undefined;
  /** Returns the part of a canonical name by which people know the package; undefined if names have no such part. */
  readonly shortenName: ((canonicalName: string) => string) | undefined;
}

type Rules<Name extends keyof EcosystemRules> = Readonly<Record<Ecosystem, EcosystemRules[Name]>>;

export const nameRules: Rules<'name'> = {
  pypi: pypi.name,
  npm: npm.name,
  maven: maven.name,
  docker: docker.name,
};

export const versionRules: Rules<'version'> = {
  pypi: pypi.version,
  npm: npm.version,
  maven: maven.version,
  docker: docker.version,
};

export const versionOrders: Rules<'versionOrder'> = {
  pypi: pypi.versionOrder,
  npm: npm.versionOrder,
  maven: maven.versionOrder,
  docker: docker.versionOrder,
};

export const purlRules: Rules<'purls'> = {
  pypi: pypi.purls,
  npm: npm.purls,
  maven: maven.purls,
  docker: docker.purls,
};

export const purlNames: Rules<'toPurlName'> = {
  pypi: pypi.toPurlName,
  npm: npm.toPurlName,
  maven: maven.toPurlName,
  docker: docker.toPurlName,
};

export const osvNames: Rules<'osvName'> = {
  pypi: pypi.osvName,
  npm: npm.osvName,
  maven: maven.osvName,
  docker: docker.osvName,
};

export const hasEqualSeparators: Rules<'hasEqualSeparators'> = {
  pypi: pypi.hasEqualSeparators,
  npm: npm.hasEqualSeparators,
  maven: maven.hasEqualSeparators,
  docker: docker.hasEqualSeparators,
};

export const hasHashedLockfiles: Rules<'hasHashedLockfiles'> = {
  pypi: pypi.hasHashedLockfiles,
  npm: npm.hasHashedLockfiles,
  maven: maven.hasHashedLockfiles,
  docker: docker.hasHashedLockfiles,
};

export const hasUnnamedFileHosts: Rules<'hasUnnamedFileHosts'> = {
  pypi: pypi.hasUnnamedFileHosts,
  npm: npm.hasUnnamedFileHosts,
  maven: maven.hasUnnamedFileHosts,
  docker: docker.hasUnnamedFileHosts,
};

export const isElsewhere: Rules<'isElsewhere'> = {
  pypi: pypi.isElsewhere,
  npm: npm.isElsewhere,
  maven: maven.isElsewhere,
  docker: docker.isElsewhere,
};

export const dropNameAffix: Rules<'dropNameAffix'> = {
  pypi: pypi.dropNameAffix,
  npm: npm.dropNameAffix,
  maven: maven.dropNameAffix,
  docker: docker.dropNameAffix,
};

export const shortenName: Rules<'shortenName'> = {
  pypi: pypi.shortenName,
  npm: npm.shortenName,
  maven: maven.shortenName,
  docker: docker.shortenName,
};
