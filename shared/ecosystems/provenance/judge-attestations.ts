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

const verifyFile = (
  { bundles, subject, publisher }: FileAttestations,
  verify: VerifyAttestation,
): AttestationResult => {
  const results = bundles.map((bundle) => verify(bundle, subject));
  const find = (wanted: AttestationResult['outcome']) =>
    results.find(({ outcome }) => outcome === wanted);
  const result = find('invalid') ??
    find('verified') ??
    find('unchecked') ?? {
      outcome: 'unchecked',
      reason: 'Upstream has no attestation of the build.',
    };
  return result.outcome === 'verified' && !isPublisher(publisher, result.origin)
    ? {
        outcome: 'invalid',
        reason: 'its certificate names another source repository than the publisher upstream.',
      }
    : result;
};

/** Returns a note about the files that a verification does not cover, or that come from another repository. */
const describeLimits = (
  origins: readonly BuildOrigin[],
  { limit }: FetchedAttestations,
): string | null => {
  const repositories = new Set(origins.map(({ source_repository }) => source_repository));
  const notes = [
    ...(limit === null ? [] : [limit]),
    ...(repositories.size > 1 ? ['The files come from several source repositories.'] : []),
  ];
  return notes.length > 0 ? notes.join(' ') : null;
};

/**
 * Returns the provenance of a version from its attestations. One invalid attestation makes it invalid. It is verified if every
 * file has a verified attestation, up to the limit of the fetch.
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
  const origins = results.flatMap((one) => (one.outcome === 'verified' ? [one.origin] : []));
  const [first] = origins;
  if (!first || fetched.gap !== null) return judge('present', fetched.gap);
  return judge('verified', describeLimits(origins, fetched), first);
};
