import { type Bundle, bundleFromJSON } from '@sigstore/bundle';
import { TrustedRoot } from '@sigstore/protobuf-specs';
import { toSignedEntity, toTrustMaterial, VerificationError, Verifier } from '@sigstore/verify';
import type { BuildOrigin } from '../../domain/facts/provenance.ts';
import { readTextAt } from '../../util/json.ts';
import { readCertificateIdentity } from './certificate-identity.ts';
import { isProvenanceType, isSignatureType } from './predicate-types.ts';
import {
  type ExpectedSubject,
  isAbout,
  namesOtherRepository,
  readStatement,
  type Statement,
} from './statement.ts';

/** Trusted root of Sigstore in its JSON form: certificates and public keys of its services. */
export interface Trust {
  readonly root: unknown;
  /** True if the root is up to date, so that a signature by an unknown service is a fault of the attestation. */
  readonly isCurrent: boolean;
}

/**
 * Result for one attestation. `signed`: it was verified, but shows only who signed an image, and not how it was built. `other`:
 * it is no provenance, such as npm's attestation of the publication. `unchecked`: this release or its trusted root cannot check it.
 */
export type AttestationResult =
  | { readonly outcome: 'verified' | 'signed'; readonly origin: BuildOrigin }
  | { readonly outcome: 'other' }
  | { readonly outcome: 'unchecked' | 'invalid'; readonly reason: string };

/** Verifies a Sigstore bundle, as parsed JSON, that is about an expected file. */
export type VerifyAttestation = (bundle: unknown, subject: ExpectedSubject) => AttestationResult;

/** Media types of bundles of the versions 0.1 to 0.3. */
const knownBundle =
  /^application\/vnd\.dev\.sigstore\.bundle(?:\+json;version=0\.[123]|\.v0\.3\+json)$/;

/** More log entries than any bundle has. */
const mostEntries = 4;

type FaultCode = VerificationError['code'];

/** Explanations of faults that depend on the services in the trusted root. */
const trustFaults: Partial<Record<FaultCode, string>> = {
  CERTIFICATE_ERROR:
    'the certificate of the signer is not of a trusted authority, or was not valid when it signed.',
  PUBLIC_KEY_ERROR: 'it is not signed with the certificate of a build.',
  TIMESTAMP_ERROR: 'the time of the signature is not proven.',
  TLOG_ERROR: 'it is not in the transparency log.',
  TLOG_INCLUSION_PROMISE_ERROR: 'the transparency log did not confirm it.',
  TLOG_INCLUSION_PROOF_ERROR: 'the transparency log did not confirm it.',
  TLOG_MISSING_INCLUSION_ERROR: 'the transparency log did not confirm it.',
};

const otherFaults: Partial<Record<FaultCode, string>> = {
  SIGNATURE_ERROR: 'the signature is not of its content.',
  TLOG_BODY_ERROR: 'the entry in the transparency log is not of its content.',
};

const invalid = (reason: string): AttestationResult => ({ outcome: 'invalid', reason });

/** Returns the result for an error of the verification. An outdated root may lack a service that signs today. */
const explainFault = (error: unknown, { isCurrent }: Trust): AttestationResult => {
  if (!(error instanceof VerificationError)) return invalid('it is malformed.');
  if (error.code === 'NOT_IMPLEMENTED_ERROR') {
    return { outcome: 'unchecked', reason: 'Its signature is of an unknown kind.' };
  }
  const reason = trustFaults[error.code];
  if (reason === undefined) return invalid(otherFaults[error.code] ?? 'it is malformed.');
  return isCurrent
    ? invalid(reason)
    : {
        outcome: 'unchecked',
        reason: 'It cannot be checked with the trusted root of the registry, which is outdated.',
      };
};

/** Returns the statement of a bundle, whose signature is not checked yet. */
const findStatement = ({ content }: Bundle): Statement | undefined =>
  content.$case === 'dsseEnvelope'
    ? readStatement(content.dsseEnvelope.payloadType, content.dsseEnvelope.payload)
    : undefined;

const isExpectedType = ({ predicateType }: Statement, { isImage }: ExpectedSubject): boolean =>
  isProvenanceType(predicateType) || (isImage === true && isSignatureType(predicateType));

/** Returns the result for a bundle with a verified signature. */
const judgeStatement = (
  statement: Statement,
  origin: BuildOrigin,
  subject: ExpectedSubject,
): AttestationResult => {
  if (!isAbout(statement, subject)) return invalid('it is about another file.');
  if (namesOtherRepository(statement, origin.source_repository)) {
    return invalid('it names another source repository than its certificate.');
  }
  return { outcome: isProvenanceType(statement.predicateType) ? 'verified' : 'signed', origin };
};

const verifyBundle = (
  json: unknown,
  subject: ExpectedSubject,
  verifier: Verifier,
): AttestationResult => {
  const bundle = bundleFromJSON(json);
  const statement = findStatement(bundle);
  if (!statement) return invalid('it has no statement.');
  if (!isExpectedType(statement, subject)) return { outcome: 'other' };
  if (bundle.verificationMaterial.tlogEntries.length > mostEntries) {
    return invalid('it has too many log entries.');
  }
  const signer = verifier.verify(toSignedEntity(bundle));
  return judgeStatement(statement, readCertificateIdentity(signer), subject);
};

/**
 * Creates a verifier of attestations. It reads repository, commit, workflow and builder from the signer's certificate.
 * @throws {Error} if the trusted root is malformed
 */
export const createAttestationVerifier = (trust: Trust): VerifyAttestation => {
  const verifier = new Verifier(toTrustMaterial(TrustedRoot.fromJSON(trust.root)));
  return (json, subject) => {
    if (!knownBundle.test(readTextAt(json, 'mediaType') ?? '')) {
      return { outcome: 'unchecked', reason: 'Its bundle has an unknown format.' };
    }
    try {
      return verifyBundle(json, subject, verifier);
    } catch (error) {
      return explainFault(error, trust);
    }
  };
};
