import type { Checksums } from './checksums.ts';

/** One file of a version of PyPI, as its Simple API has it in JSON (PEP 691, with the members of PEP 700). */
export interface PypiFile {
  readonly filename: string;
  readonly url: string;
  readonly hashes: Readonly<Record<string, string>>;
  readonly 'requires-python'?: string;
  readonly yanked?: boolean | string;
  readonly size?: number;
  readonly 'upload-time'?: string;
  readonly 'core-metadata'?: boolean | Readonly<Record<string, string>>;
}

/** A file of a version of Maven: the checksums of a POM are of what was read, those of other files stand at the origin. */
export interface MavenFile {
  readonly name: string;
  readonly checksums: Checksums;
}

/** The POM of another version without which a version's own cannot be read; `group:artifact:version`. */
export interface MavenPom {
  readonly coordinates: string;
  readonly checksums: Checksums;
}

/** The image for one platform, such as `linux/arm64/v8`. */
export interface DockerImage {
  readonly platform: string;
  readonly digest: string;
  readonly size: number | null;
}

/**
 * The origin's own record of a version as the protocol of its ecosystem needs it to install exactly that version.
 */
export type Manifest =
  | { readonly kind: 'npm'; readonly version: Readonly<Record<string, unknown>> }
  | { readonly kind: 'pypi'; readonly files: readonly PypiFile[] }
  | {
      readonly kind: 'maven';
      readonly files: readonly MavenFile[];
      /** What the POM inherits from, the nearest first. */
      readonly parents: readonly MavenPom[];
      /** The imported lists of versions without which the POM cannot be read, those that they import, and their parents. */
      readonly boms: readonly MavenPom[];
    }
  | {
      readonly kind: 'docker';
      readonly digest: string | null;
      readonly images: readonly DockerImage[];
    };
