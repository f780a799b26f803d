/**
 * Result of a check of a version's provenance attestations. `verified`: all checks passed. `present`: upstream has
 * attestations, but not all could be checked. `invalid`: a check failed. `none`: upstream has no attestation.
 */
export const provenanceStatuses = ['verified', 'present', 'invalid', 'none'] as const;

export type ProvenanceStatus = (typeof provenanceStatuses)[number];

/** Result of a check of the signatures by the registry upstream (npm). `none`: the version has no signature. */
export const signatureStatuses = ['verified', 'invalid', 'none'] as const;

export type SignatureStatus = (typeof signatureStatuses)[number];

/** Origin of a build, according to the certificate that the attestation was signed with. Null: not in the certificate. */
export interface BuildOrigin {
  /** URL of the source repository. */
  readonly source_repository: string | null;
  /** Digest of the source commit. */
  readonly commit: string | null;
  /** URL of the workflow that built the version, with its branch or tag. */
  readonly workflow: string | null;
  /** URL of the builder, such as a reusable workflow; for a person or service account, its name. */
  readonly builder: string | null;
  /** URL of the identity provider of the builder. */
  readonly issuer: string | null;
}

/** Origin of a build that no verified attestation shows. */
export const noOrigin: BuildOrigin = {
  source_repository: null,
  commit: null,
  workflow: null,
  builder: null,
  issuer: null,
};

/** Provenance of a version. It is a fact about the build, and does not show that the version is harmless. */
export interface Provenance extends BuildOrigin {
  readonly status: ProvenanceStatus;
  /** Explanation for people: why the status is `present` or `invalid`, or what a verification does not cover. */
  readonly reason: string | null;
  /** Result for the signatures of the registry upstream; null if it is unknown. */
  readonly signatures: SignatureStatus | null;
}

/** Provenance, and the files that it was checked for. */
export interface CheckedProvenance extends Provenance {
  /** Digest of the hashes of the files. */
  readonly files: string;
}

/** Returns the provenance without a check: whether upstream has an attestation; null if that is unknown. */
export const toUncheckedProvenance = (hasAttestation: boolean | null): Provenance | null =>
  hasAttestation === null
    ? null
    : {
        status: hasAttestation ? 'present' : 'none',
        ...noOrigin,
        reason: hasAttestation ? 'The attestation has not been checked.' : null,
        signatures: null,
      };

/** Returns why a version's provenance or signatures are invalid; undefined if they are not. */
export const findProvenanceFault = (
  provenance: Provenance | null | undefined,
): string | undefined => {
  if (provenance?.status === 'invalid') {
    return `Its provenance attestation is invalid: ${provenance.reason}`;
  }
  return provenance?.signatures === 'invalid'
    ? 'The signature of the upstream registry does not match the version.'
    : undefined;
};

/** Returns the provenance as clients see it. */
export const showProvenance = ({ files: _, ...provenance }: CheckedProvenance): Provenance =>
  provenance;
