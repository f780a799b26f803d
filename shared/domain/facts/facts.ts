/** Whether a version is at its origin, the registry that its ecosystem publishes on: unknown where that could not be asked. */
export const foundAnswers = ['yes', 'no', 'unknown'] as const;

export type Found = (typeof foundAnswers)[number];

/**
 * Whether a package declares a license itself: `unreadable` where it declares one that cannot be understood, `unknown`
 * where its origin was not asked or does not show what the package declares.
 */
export const licenseDeclarations = ['none', 'readable', 'unreadable', 'unknown'] as const;

export type LicenseDeclaration = (typeof licenseDeclarations)[number];

/** What the origin of a version says of it. Whatever is null is not said there, or could not be read. */
export interface Facts {
  readonly found: Found;
  /** Why it was not found, or why that is not known, for people to read; null where it was found. */
  readonly reason: string | null;
  /** Whether the origin knows the name, whatever it says of the version; null where that is not known. */
  readonly name_found: boolean | null;
  /** ISO 8601, in UTC. */
  readonly published_at: string | null;
  /** As they stand there: expressions, names, classifiers, addresses. */
  readonly licenses_declared: readonly string[];
  /** What these read as, an SPDX expression. */
  readonly license: string | null;
  readonly license_declaration: LicenseDeclaration;
  /** All declared licenses as one statement, at most as long as a submitted license; null unless it is readable. */
  readonly license_statement: string | null;
  readonly description: string | null;
  readonly homepage: string | null;
  readonly repository: string | null;
  /**
   * Why the publisher advises against the version or the package, maybe an empty text; null where nobody does. Of Maven
   * also where it moved to.
   */
  readonly deprecated: string | null;
  /** Why the publisher took the version back, maybe an empty text; null where nobody did. */
  readonly yanked: string | null;
  /**
   * What runs by itself where the version is installed: the names of npm's scripts. None of Maven and Docker; of PyPI none
   * where there is a wheel for every platform. Null where that is not known.
   */
  readonly install_scripts: readonly string[] | null;
  /** Whether the origin has an attestation of how it was built; null where that is not known. */
  readonly provenance: boolean | null;
  /** The newest version that the origin has of the package, as its tags and its order of versions say; never of docker. */
  readonly newest_version: string | null;
}

/** What is known of a version that its origin does not have, or that could not be asked. */
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
