import type { CollectedFacts } from '../../domain/facts/collected-facts.ts';
import type { Manifest } from '../../domain/facts/manifest.ts';
import { digestPinnedFiles } from '../../domain/facts/pinned-files.ts';
import {
  type CheckedProvenance,
  type Provenance,
  toUncheckedProvenance,
} from '../../domain/facts/provenance.ts';
import type { PackageId } from '../../domain/packages/package-id.ts';
import { checkSignatures, hasSignatures } from '../../ecosystems/npm/origin/signatures.ts';
import type { OriginClient } from '../../ecosystems/origin-client.ts';
import { judgeAttestations } from '../../ecosystems/provenance/judge-attestations.ts';
import releasedRoot from '../../ecosystems/provenance/trusted-root.build.ts';
import {
  createAttestationVerifier,
  type Trust,
  type VerifyAttestation,
} from '../../ecosystems/provenance/verify-attestation.ts';
import { findTrustedRoot } from '../../storage/reviews/trusted-root.ts';
import type { Deadline } from '../../util/deadline.ts';
import { dayMs } from '../../util/duration.ts';
import { logEvent } from '../../util/log.ts';
import { hasSpareTime } from './spare-time.ts';

/**
 * Checks the provenance of a collected version. Returns undefined if upstream does not have the version, or if its files are
 * unknown.
 */
export type CheckProvenance = (
  id: PackageId,
  collected: CollectedFacts,
  known: CheckedProvenance | undefined,
) => Promise<CheckedProvenance | undefined>;

/** Age in milliseconds up to which a trusted root is up to date. It is refreshed daily. */
const currentMs = 7 * dayMs;

/** Runs work at its first call, and returns the same result afterwards. */
const once = <T>(work: () => Promise<T>): (() => Promise<T>) => {
  let result: Promise<T> | undefined;
  return () => {
    result ??= work();
    return result;
  };
};

const loadStoredTrust = async (): Promise<Trust | undefined> => {
  const stored = await findTrustedRoot();
  if (!stored) return undefined;
  const isCurrent = Date.now() - Date.parse(stored.refreshed_at) < currentMs;
  return { root: stored.root, isCurrent };
};

/** Returns a verifier with the stored trusted root or, without a usable one, with the root of the release. */
const openVerifier = async (): Promise<VerifyAttestation> => {
  try {
    const trust = await loadStoredTrust();
    if (trust) return createAttestationVerifier(trust);
  } catch (error) {
    logEvent('error', 'trusted_root_not_read', { error });
  }
  return createAttestationVerifier({ root: releasedRoot, isCurrent: false });
};

/**
 * Returns a result, or the part of an earlier one for the same files that counts more. Only another check lifts an invalid result.
 * Another reason why no check was possible is no news.
 */
const keepResults = (
  earlier: CheckedProvenance | undefined,
  result: CheckedProvenance,
): CheckedProvenance => {
  if (!earlier) return result;
  const isKept = result.status === 'present' && ['present', 'invalid'].includes(earlier.status);
  const signatures = result.signatures ?? earlier.signatures;
  return { ...(isKept ? earlier : result), signatures };
};

/** True if a later check of the same files may have another result: not all could be checked, or a check failed. */
export const needsOtherCheck = (
  checked: CheckedProvenance | undefined,
  manifest: Manifest | null,
): boolean => {
  if (checked === undefined) return false;
  const { status, signatures } = checked;
  return (
    ['present', 'invalid'].includes(status) ||
    signatures === 'invalid' ||
    (signatures === null && hasSignatures(manifest))
  );
};

interface ProvenanceChecks {
  readonly client: Pick<OriginClient, 'fetchAttestations' | 'fetchSigningKeys'>;
  readonly deadline: Deadline;
}

/**
 * Creates the check of one batch. It loads the trusted root and the keys at most once. A verified result for the same files is
 * kept without a request.
 */
export const createProvenanceCheck = ({ client, deadline }: ProvenanceChecks): CheckProvenance => {
  const loadVerifier = once(openVerifier);
  const loadKeys = once(() => client.fetchSigningKeys());

  const checkAttestations = async (
    id: PackageId,
    { facts, manifest }: CollectedFacts,
  ): Promise<Omit<Provenance, 'signatures'> | null> => {
    const unchecked = toUncheckedProvenance(facts.provenance);
    if (!facts.provenance || !manifest || !hasSpareTime(deadline)) return unchecked;
    const fetched = await client.fetchAttestations(id, manifest);
    return judgeAttestations(fetched, await loadVerifier());
  };

  const checkSignaturesOf = async (
    id: PackageId,
    { facts: { published_at }, manifest }: CollectedFacts,
  ): Promise<Provenance['signatures']> => {
    const keys = hasSignatures(manifest) && hasSpareTime(deadline) ? await loadKeys() : [];
    return checkSignatures({ id, manifest, publishedAt: published_at }, keys);
  };

  return async (id, collected, known) => {
    const files = collected.manifest ? digestPinnedFiles(collected.manifest) : undefined;
    if (files === undefined) return undefined;
    const same = known?.files === files ? known : undefined;
    const attested = same?.status === 'verified' ? same : await checkAttestations(id, collected);
    if (!attested) return undefined;
    const signatures =
      same?.signatures === 'verified' ? 'verified' : await checkSignaturesOf(id, collected);
    return keepResults(same, { ...attested, signatures, files });
  };
};
