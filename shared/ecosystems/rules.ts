import * as docker from './docker/rules.ts';
import type { Ecosystem } from './ecosystem.ts';
import * as maven from './maven/rules.ts';
import * as npm from './npm/rules.ts';
import type { PurlRules } from './purl-rule.ts';
import * as pypi from './pypi/rules.ts';
import type { TextRule } from './text-rule.ts';

/**
 * What `rules.ts` in the folder of an ecosystem exports. It is pure: browsers, servers and the command line share it.
 * Each export has a table below, so that bundles hold only the rules that they use.
 */
interface EcosystemRules {
  readonly name: TextRule;
  readonly version: TextRule;
  readonly purls: PurlRules;
  /** The ecosystem's name at OSV.dev; null if OSV.dev does not cover it. */
  readonly osvName: string | null;
  /** True if `-`, `_` and `.` are equal in names. */
  readonly hasEqualSeparators: boolean;
  /** True if lockfiles pin packages by the hashes of their files. */
  readonly hasHashedLockfiles: boolean;
  /** True if only the origin's pages name the hosts of files. */
  readonly hasUnnamedFileHosts: boolean;
  /** Returns true if a policy pattern names a place at which this package is not. */
  readonly isElsewhere: ((pattern: string, canonicalName: string) => boolean) | undefined;
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

export const purlRules: Rules<'purls'> = {
  pypi: pypi.purls,
  npm: npm.purls,
  maven: maven.purls,
  docker: docker.purls,
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
