import { listPinnedFiles } from '../../../domain/facts/pinned-files.ts';
import type { PackageId } from '../../../domain/packages/package-id.ts';
import { readAt, readTextAt } from '../../../util/json.ts';
import { explainNonsense, readJson } from '../../origin/origin-http.ts';
import {
  elsewhere,
  type FetchAttestations,
  maxAttestationBytes,
  mostAttestations,
  toGap,
} from '../../provenance/file-attestations.ts';

/** True for the package URL of a version, as npm writes it: `pkg:npm/%40scope/name@1.0.0`. */
const isPurl =
  ({ name }: PackageId, version: string) =>
  (purl: string): boolean =>
    purl.replace(/^pkg:npm\/@/, 'pkg:npm/%40') ===
    `pkg:npm/${name.replace(/^@/, '%40')}@${version}`;

/** Fetches the attestations of an npm version, if they are at the address of the origin. */
export const fetchNpmAttestations: FetchAttestations = async (origin, id, manifest) => {
  const hash = listPinnedFiles(manifest).hashes.find(({ algorithm }) => algorithm === 'sha512');
  if (manifest.kind !== 'npm' || !hash) return toGap('Upstream has no SHA-512 digest of the file.');
  const address = readTextAt(manifest.version, 'dist', 'attestations', 'url');
  const path = address === undefined ? undefined : origin.findOwn(address);
  if (!path) return toGap(elsewhere);
  const answer = await origin.ask({
    ...{ path, accept: 'application/json', maxBytes: maxAttestationBytes },
  });
  if (!answer) return toGap(`${origin.host} does not have the attestation`);
  const attestations = readAt(readJson(origin.host, answer), 'attestations');
  if (!Array.isArray(attestations)) throw explainNonsense(origin.host, answer);
  const version = readTextAt(manifest.version, 'version') ?? id.version;
  const bundles = attestations.slice(0, mostAttestations).map((one) => readAt(one, 'bundle'));
  return {
    files: [{ subject: { isName: isPurl(id, version), hash }, bundles }],
    ...{ gap: null, limit: null },
  };
};
