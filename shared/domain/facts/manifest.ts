import type { Checksums } from '../../util/checksums.ts';

/** PyPI file as in the JSON Simple API (PEP 691, with the members of PEP 700). */
export interface PypiFile {
  readonly filename: string;
  readonly url: string;
  readonly hashes: Readonly<Record<string, string>>;
  readonly 'requires-python'?: string;
  readonly yanked?: boolean | string;
  readonly size?: number;
  readonly 'upload-time'?: string;
  readonly 'core-metadata'?: boolean | Readonly<Record<string, string>>;
  /** URL of the file's attestations (PEP 740). */
  readonly provenance?: string;
}

/** Maven file. The checksums of a POM are computed; those of other files are upstream's. */
export interface MavenFile {
  readonly name: string;
  readonly checksums: Checksums;
}

/** POM of another version that is required to resolve a POM. `coordinates` is `group:artifact:version`. */
export interface MavenPom {
  readonly coordinates: string;
  readonly checksums: Checksums;
}

/** Image for one platform, such as `linux/arm64/v8`. */
export interface DockerImage {
  readonly platform: string;
  readonly digest: string;
  readonly size: number | null;
}

/** Upstream's record of a version, as its package manager needs it to install exactly that version. */
export type Manifest =
  | { readonly kind: 'npm'; readonly version: Readonly<Record<string, unknown>> }
  | {
      readonly kind: 'pypi';
      readonly files: readonly PypiFile[];
      /** Mandatory requirements as `name specifiers`; absent if there are none, or in manifests of earlier releases. */
      readonly requirements?: readonly string[];
    }
  | {
      readonly kind: 'maven';
      readonly files: readonly MavenFile[];
      /** True if the repository lists no files of the version, so that files with unusual names are missing. */
      readonly unlisted?: true;
      /** Parent POMs, nearest first. */
      readonly parents: readonly MavenPom[];
      /** Imported BOMs, the BOMs that they import, and their parents. */
      readonly boms: readonly MavenPom[];
    }
  | {
      readonly kind: 'docker';
      /** Digest of the index, or of the only image. */
      readonly digest: string;
      readonly images: readonly DockerImage[];
      /** True if the index has more images than these. */
      readonly isPartial?: true;
    };
