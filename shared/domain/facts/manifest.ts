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

/** A file of a version on Maven Central with the checksums that stand there: `sha1`, `sha256`, `sha512`, `md5`. */
export interface MavenFile {
  readonly name: string;
  readonly checksums: Readonly<Record<string, string>>;
}

/** The image for one platform, such as `linux/arm64/v8`. */
export interface DockerImage {
  readonly platform: string;
  readonly digest: string;
  readonly size: number | null;
}

/**
 * The origin's own record of a version as the protocol of its ecosystem needs it to install exactly that version.
 * Coordinates of Maven are `group:artifact:version`.
 */
export type Manifest =
  | { readonly kind: 'npm'; readonly version: Readonly<Record<string, unknown>> }
  | { readonly kind: 'pypi'; readonly files: readonly PypiFile[] }
  | {
      readonly kind: 'maven';
      readonly files: readonly MavenFile[];
      /** What the POM inherits from, the nearest first. */
      readonly parents: readonly string[];
      /** The imported lists of versions without which the POM cannot be read, those that they import, and their parents. */
      readonly boms: readonly string[];
    }
  | {
      readonly kind: 'docker';
      readonly digest: string | null;
      readonly images: readonly DockerImage[];
    };
