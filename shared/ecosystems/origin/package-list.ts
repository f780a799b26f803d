import { createHash } from 'node:crypto';
import type { ListValidator } from '../../domain/facts/list-validator.ts';
import type { UpstreamRelease } from '../../domain/packages/upstream-release.ts';
import type { Origin, OriginAnswer } from './origin-http.ts';

/** What the list of a package upstream says about each of its versions. */
export interface PackageList {
  readonly validator: ListValidator;
  /** Newest version upstream; null if the origin does not show one. */
  readonly newestVersion: string | null;
  readonly releases: readonly UpstreamRelease[];
  /**
   * Returns the digest of all that the list says about a version. It is equal if the metadata of the version is. Undefined for a
   * version that the list lacks, or does not describe completely.
   */
  digestOf(version: string): string | undefined;
}

/**
 * Fetches the list of a package's versions from the origin of one ecosystem. Returns `unchanged` if it is the same as the known
 * one, and undefined if the origin does not have the name.
 * @throws {UpstreamError} if the request fails, if the response is malformed, or if the ecosystem has no such list
 */
export type AskPackageList = (
  origin: Origin,
  name: string,
  known: ListValidator | undefined,
) => Promise<PackageList | 'unchanged' | undefined>;

/** Longest `ETag` that is kept, in characters. It is part of an item that should stay small. */
const longestEtag = 200;

/** Returns the identity of an answer. */
export const toValidator = ({ headers, bytes }: OriginAnswer): ListValidator => {
  const etag = headers.get('ETag') ?? '';
  const isKept = etag.length <= longestEtag && /^(?:W\/)?"[!#-~]*"$/.test(etag);
  return {
    digest: createHash('sha256').update(bytes).digest('base64url').slice(0, 22),
    ...(isKept && { etag }),
  };
};

/** True if an answer is the same as a known one. */
export const isKnownAnswer = (answer: OriginAnswer, known: ListValidator | undefined): boolean =>
  answer.isUnchanged === true ||
  (known !== undefined && toValidator(answer).digest === known.digest);
