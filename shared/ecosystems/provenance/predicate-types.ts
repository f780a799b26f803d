import type { Ecosystem } from '../ecosystem.ts';

const pypi: Ecosystem = 'pypi';

/** Types of statements about the build of a file, without the protocol. They are names, and nothing requests them. */
const provenanceTypes: readonly string[] = [
  'slsa.dev/provenance/v0.2',
  'slsa.dev/provenance/v1',
  `docs.${pypi}.org/attestations/publish/v1`,
];

/** Type of cosign's statements that somebody signed an image. */
const signatureType = 'sigstore.dev/cosign/sign/v1';

const dropProtocol = (type: string): string => type.replace(/^https:\/\//, '');

/** True for a statement about the build or the publication of a file. */
export const isProvenanceType = (type: string): boolean =>
  provenanceTypes.includes(dropProtocol(type));

/** True for a statement that only shows who signed an image. */
export const isSignatureType = (type: string): boolean => dropProtocol(type) === signatureType;
