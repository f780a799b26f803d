import { type BuildOrigin, noOrigin, type Provenance } from '../../domain/facts/provenance.ts';
import { cleanLine } from '../../domain/vulnerabilities/finding.ts';
import type { FetchedAttestations, FileAttestations } from './file-attestations.ts';
import type { AttestationResult, VerifyAttestation } from './verify-attestation.ts';

type Judgement = Omit<Provenance, 'signatures'>;

const longestReason = 300;

const judge = (
  status: Provenance['status'],
  reason: string | null,
  origin: BuildOrigin = noOrigin,
): Judgement => ({
  status,
  ...origin,
  reason: reason === null ? null : cleanLine(reason, longestReason),
});

/** True if upstream's publisher of a file is the source repository of the certificate. */
const isPublisher = (publisher: string | undefined, { source_repository }: BuildOrigin): boolean =>
  publisher === undefined ||
  source_repository === null ||
  URL.parse(source_repository)?.pathname.slice(1).toLowerCase() === publisher.toLowerCase();

type VerifiedAttestation = Extract<AttestationResult, { readonly origin: BuildOrigin }>;

const isVerified = (result: AttestationResult): result is VerifiedAttestation =>
  result.outcome === 'verified' || result.outcome === 'signed';

/** True for a signature by a build service, whose certificate names the source repository. */
const isSignedByBuild = (result: AttestationResult): boolean =>
  result.outcome === 'signed' && result.origin.source_repository !== null;

/** Returns why the signature of a person or service account is no provenance. */
const describeSigner = ({ builder, issuer }: BuildOrigin): string =>
  `It is signed by ${builder ?? 'somebody'}${issuer === null ? '' : ` (${issuer})`}, which shows no build.`;

const verifyFile = (
  { bundles, subject, publisher }: FileAttestations,
  verify: VerifyAttestation,
): AttestationResult => {
  const results = bundles.map((bundle) => verify(bundle, subject));
  const find = (wanted: AttestationResult['outcome']) =>
    results.find(({ outcome }) => outcome === wanted);
  const result = find('invalid') ??
    find('verified') ??
    results.find(isSignedByBuild) ??
    find('signed') ??
    find('unchecked') ?? {
      outcome: 'unchecked',
      reason: 'Upstream has no attestation of the build.',
    };
  return isVerified(result) && !isPublisher(publisher, result.origin)
    ? {
        outcome: 'invalid',
        reason: 'its certificate names another source repository than the publisher upstream.',
      }
    : result;
};

/** Returns a note about what a verification does not cover, or about files that come from another repository. */
const describeLimits = (
  verified: readonly VerifiedAttestation[],
  { limit }: FetchedAttestations,
): string | null => {
  const repositories = new Set(verified.map(({ origin }) => origin.source_repository));
  const isMereSignature = verified.some(({ outcome }) => outcome === 'signed');
  const notes = [
    ...(isMereSignature
      ? ['Only a signature by the workflow was verified: there is no attestation of the build.']
      : []),
    ...(limit === null ? [] : [limit]),
    ...(repositories.size > 1 ? ['The files come from several source repositories.'] : []),
  ];
  return notes.length > 0 ? notes.join(' ') : null;
};

/**
 * Returns the provenance of a version from its attestations. One invalid attestation makes it invalid. It is verified if every
 * file has a verified attestation, up to the limit of the fetch. Of an image, a signature by a build service counts.
 */
export const judgeAttestations = (
  fetched: FetchedAttestations,
  verify: VerifyAttestation,
): Judgement => {
  const results = fetched.files.map((file) => verifyFile(file, verify));
  const invalid = results.find(({ outcome }) => outcome === 'invalid');
  if (invalid?.outcome === 'invalid') return judge('invalid', invalid.reason);
  const unchecked = results.find(({ outcome }) => outcome === 'unchecked');
  if (unchecked?.outcome === 'unchecked') return judge('present', unchecked.reason);
  const verified = results.filter(isVerified);
  const [first] = verified;
  if (!first || fetched.gap !== null) return judge('present', fetched.gap);
  const person = verified.find((one) => one.outcome === 'signed' && !isSignedByBuild(one));
  if (person) return judge('present', describeSigner(person.origin));
  return judge('verified', describeLimits(verified, fetched), first.origin);
};
