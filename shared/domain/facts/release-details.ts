/** Script that npm runs at installation. */
export interface InstallScript {
  readonly name: string;
  /** Command on one line, at most 2,000 characters; null if upstream does not show it. */
  readonly text: string | null;
  /** Digest of the whole command; null if upstream does not show it. */
  readonly digest: string | null;
}

/** Label of an image. */
export interface ImageLabel {
  readonly name: string;
  /** Value on one line, at most 500 characters. */
  readonly text: string;
  /** Digest of the whole value. */
  readonly digest: string;
}

/** Formats of SBOMs, the preferred one first. */
export const sbomFormats = ['cyclonedx', 'spdx'] as const;
export type SbomFormat = (typeof sbomFormats)[number];

/** SBOM that is attached to an image in its registry. */
export interface ImageSbom {
  readonly format: SbomFormat;
  /** Digest of the SBOM itself: `sha256:HEX`. */
  readonly digest: string;
  /** Size in bytes; null if the registry does not show it. */
  readonly size: number | null;
}

/** A package or plugin that a version names. The range is empty if another file chooses the version. */
export interface NamedRange {
  readonly name: string;
  readonly range: string;
}

/** Version of a package with its publication time, ISO 8601 in UTC. */
export interface Publication {
  readonly version: string;
  readonly published_at: string;
}

/** Facts that are web addresses of a version. */
export const addressFields = ['repository', 'homepage'] as const;
export type AddressField = (typeof addressFields)[number];

/**
 * Upstream metadata of a version that neither its facts nor its manifest contain. It serves comparisons of versions only,
 * so no pin covers it. An absent field is unknown.
 */
export interface ReleaseDetails {
  /** True if upstream showed the whole metadata of the version, so that an absent homepage means that it has none. */
  readonly described: boolean;
  /** Addresses that upstream shows, but that are no web addresses, so that the facts lack them. */
  readonly unreadable?: readonly AddressField[];
  /** Account that published the version (npm). */
  readonly publisher?: string;
  /** Identity provider of a trusted publisher, such as `github`; null if a person's credentials published it (npm). */
  readonly trusted_publisher?: string | null;
  /** Accounts that could publish the package at that time, in order (npm). */
  readonly maintainers?: readonly string[];
  /** Scripts that run at installation (npm). */
  readonly install_scripts?: readonly InstallScript[];
  /** Mandatory dependencies, also of the parents (Maven). */
  readonly dependencies?: readonly NamedRange[];
  /** Build plugins, also of the parents (Maven). */
  readonly plugins?: readonly NamedRange[];
  /** Command that starts an image, and its arguments, as JSON; null if the image has none. */
  readonly entrypoint?: string | null;
  readonly command?: string | null;
  /** User as which an image runs; null if it names none. */
  readonly user?: string | null;
  readonly labels?: readonly ImageLabel[];
  /** SBOMs that are attached to an image, at most five. */
  readonly sboms?: readonly ImageSbom[];
  /** Version of the package that was published before this one; null if this is the first. */
  readonly previous?: Publication | null;
}
