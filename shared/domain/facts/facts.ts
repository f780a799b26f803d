/**
 * Whether upstream has a version: `unknown` if the request failed. Upstream is the public registry of the ecosystem.
 */
export const foundAnswers = ['yes', 'no', 'unknown'] as const;

export type Found = (typeof foundAnswers)[number];

/**
 * Whether a package declares a license. `unreadable`: it declares one that is not recognised. `unknown`: the metadata
 * was not fetched or does not contain licenses.
 */
export const licenseDeclarations = ['none', 'readable', 'unreadable', 'unknown'] as const;

export type LicenseDeclaration = (typeof licenseDeclarations)[number];

/** Upstream metadata of a version. Null means absent or invalid. */
export interface Facts {
  readonly found: Found;
  /** Explanation for people if the version was not found or the request failed; null if it was found. */
  readonly reason: string | null;
  /** True if upstream has a package of that name; null if unknown. */
  readonly name_found: boolean | null;
  /** ISO 8601, in UTC. */
  readonly published_at: string | null;
  /** Licenses as declared: expressions, names, classifiers, URLs. */
  readonly licenses_declared: readonly string[];
  /** Normalized SPDX expression of the declared licenses. */
  readonly license: string | null;
  readonly license_declaration: LicenseDeclaration;
  /** All declared licenses as one text, at most as long as a submitted license; null unless they are readable. */
  readonly license_statement: string | null;
  readonly description: string | null;
  readonly homepage: string | null;
  readonly repository: string | null;
  /**
   * Deprecation message of the publisher, possibly empty; null if not deprecated. For Maven, also the new coordinates
   * of a relocated package.
   */
  readonly deprecated: string | null;
  /** Yank reason of the publisher, possibly empty; null if not yanked. */
  readonly yanked: string | null;
  /**
   * npm scripts that run at installation. Empty for Maven and Docker, and for PyPI if a wheel exists for every
   * platform. Null if unknown.
   */
  readonly install_scripts: readonly string[] | null;
  /** True if upstream has a provenance attestation; null if unknown. */
  readonly provenance: boolean | null;
  /** Newest version at upstream, by its tags and version order; always null for docker. */
  readonly newest_version: string | null;
}

/** Metadata of a version that upstream does not have, or whose request failed. */
export const noFacts = {
  name_found: null,
  published_at: null,
  licenses_declared: [],
  license: null,
  license_declaration: 'unknown',
  license_statement: null,
  description: null,
  homepage: null,
  repository: null,
  deprecated: null,
  yanked: null,
  install_scripts: null,
  provenance: null,
  newest_version: null,
} as const satisfies Omit<Facts, 'found' | 'reason'>;
