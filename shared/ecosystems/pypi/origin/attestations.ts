import type { PypiFile } from '../../../domain/facts/manifest.ts';
import { parseFileHash } from '../../../domain/packages/file-hash.ts';
import { type JsonObject, readAt, readTextAt } from '../../../util/json.ts';
import { explainNonsense, type Origin, readJson } from '../../origin/origin-http.ts';
import {
  elsewhere,
  type FetchAttestations,
  type FileAttestations,
  maxAttestationBytes,
  mostAttestations,
  toGap,
} from '../../provenance/file-attestations.ts';

/** Maximum number of files of a version whose attestations are checked. Some versions have a hundred wheels. */
const mostFiles = 5;

/** Returns an attestation of PEP 740 as a Sigstore bundle. */
const toBundle = (attestation: unknown): JsonObject => ({
  mediaType: 'application/vnd.dev.sigstore.bundle.v0.3+json',
  verificationMaterial: {
    certificate: { rawBytes: readAt(attestation, 'verification_material', 'certificate') },
    tlogEntries: readAt(attestation, 'verification_material', 'transparency_entries'),
  },
  dsseEnvelope: {
    payload: readAt(attestation, 'envelope', 'statement'),
    payloadType: 'application/vnd.in-toto+json',
    signatures: [{ sig: readAt(attestation, 'envelope', 'signature') }],
  },
});

/** Returns the parts of a file name in any order and spelling: PEP 740 has subjects with normalized names. */
const splitName = (filename: string): string =>
  filename
    .toLowerCase()
    .split(/[-_.]+/)
    .toSorted()
    .join('-');

const listAttestations = (group: unknown): unknown[] => {
  const attestations = readAt(group, 'attestations');
  return Array.isArray(attestations) ? attestations : [];
};

/** Fetches the attestations of one file; a text says why they could not be fetched. */
const fetchOfFile = async (
  { ask, host, findOwn }: Origin,
  { filename, hashes, provenance = '' }: PypiFile,
): Promise<FileAttestations | string> => {
  const hash = parseFileHash(`sha256:${hashes['sha256']}`);
  const path = findOwn(provenance);
  if (!hash) return 'Upstream has no SHA-256 digest of a file.';
  if (!path) return elsewhere;
  const answer = await ask({
    ...{ path, accept: 'application/vnd.pypi.integrity.v1+json, application/json;q=0.9' },
    maxBytes: maxAttestationBytes,
  });
  if (!answer) return `${host} does not have the attestation`;
  const groups = readAt(readJson(host, answer), 'attestation_bundles');
  if (!Array.isArray(groups)) throw explainNonsense(host, answer);
  const isName = (name: string) => splitName(name) === splitName(filename);
  return {
    subject: { isName, hash },
    bundles: groups.flatMap(listAttestations).slice(0, mostAttestations).map(toBundle),
    publisher: readTextAt(groups[0], 'publisher', 'repository'),
  };
};

/** Fetches the attestations of the first five files of a PyPI version that have some. */
export const fetchPypiAttestations: FetchAttestations = async (origin, _, manifest) => {
  const all = manifest.kind === 'pypi' ? manifest.files : [];
  const attested = all.filter(({ provenance }) => provenance !== undefined);
  if (attested.length === 0) return toGap('Upstream names no address of the attestation.');
  const chosen = attested.slice(0, mostFiles);
  const fetched = await Promise.all(chosen.map((file) => fetchOfFile(origin, file)));
  const without = all.length - attested.length;
  const missing = without > 0 ? `${without} of ${all.length} files have no attestation.` : null;
  return {
    files: fetched.filter((one) => typeof one !== 'string'),
    gap: fetched.find((one) => typeof one === 'string') ?? missing,
    limit: attested.length > mostFiles ? `${mostFiles} of ${all.length} files were checked.` : null,
  };
};
