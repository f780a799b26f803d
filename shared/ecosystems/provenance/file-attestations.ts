import type { Manifest } from '../../domain/facts/manifest.ts';
import type { PackageId } from '../../domain/packages/package-id.ts';
import type { Origin } from '../origin/origin-http.ts';
import type { ExpectedSubject } from './statement.ts';

/** Attestations of one file, as upstream returns them. */
export interface FileAttestations {
  readonly subject: ExpectedSubject;
  /** Sigstore bundles, as parsed JSON. */
  readonly bundles: readonly unknown[];
  /** Repository, such as `owner/name`, that upstream allows to publish the project; absent if it names none. */
  readonly publisher?: string | undefined;
}

/** Attestations of a version, as far as upstream returned them. */
export interface FetchedAttestations {
  readonly files: readonly FileAttestations[];
  /** Why some attestations could not be fetched; null if all could. */
  readonly gap: string | null;
  /** Limits of the check; null if every file was fetched. */
  readonly limit: string | null;
}

/**
 * Fetches the attestations of a version that upstream has.
 * @throws {UpstreamError} if a request fails or a response is malformed
 */
export type FetchAttestations = (
  origin: Origin,
  id: PackageId,
  manifest: Manifest,
) => Promise<FetchedAttestations>;

/** Returns the answer for attestations that could not be fetched. */
export const toGap = (gap: string): FetchedAttestations => ({ files: [], gap, limit: null });

/** Maximum size of the attestations of one file, in bytes. Real ones have 20 KB. */
export const maxAttestationBytes = 1024 * 1024;

/** Maximum number of attestations of one file that are checked. */
export const mostAttestations = 8;

/** Message for attestations at an address outside of the origin. */
export const elsewhere =
  'The attestation is not at the address of the origin, so it was not requested.';
