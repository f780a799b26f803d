/** Identity of an origin's list of a package's versions, by which a later answer is recognized as the same. */
export interface ListValidator {
  /** Digest of the answer's bytes. */
  readonly digest: string;
  /** `ETag` of the answer, if the origin sent one. */
  readonly etag?: string | undefined;
}
