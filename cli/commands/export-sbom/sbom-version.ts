import type { VersionEvidence } from '../../../shared/api/schemas/evidence.ts';
import type { PackageId } from '../../../shared/domain/packages/package-id.ts';

/** License of a version: an SPDX expression, or any other text. */
export interface SbomLicense {
  readonly text: string;
  readonly isExpression: boolean;
}

/** File of a version, with the digest in the notation of lockfiles. */
export interface SbomFile {
  readonly file: string;
  readonly digest: string;
  readonly url: string | null;
}

/** What the registry knows of a version besides its name. */
export interface SbomDetails {
  readonly license: SbomLicense | null;
  readonly files: readonly SbomFile[];
}

/** A package version of a project, as an SBOM lists it. */
export interface SbomVersion extends PackageId, SbomDetails {
  /** Whether the project itself requires it; null if unknown. */
  readonly direct: boolean | null;
  /** The status in the registry at the time of the export. */
  readonly status: string;
}

/** No details, for a version that the registry does not have. */
export const noDetails: SbomDetails = { license: null, files: [] };

/** Returns the effective license of a version, and its files with a digest, if the answer has all of them. */
export const readDetails = ({
  license: { effective },
  files,
}: Pick<VersionEvidence, 'license' | 'files'>): SbomDetails => {
  const text = effective?.normalized ?? effective?.text ?? null;
  const isWhole = files !== null && files.total === files.files.length;
  return {
    license: text === null ? null : { text, isExpression: effective?.normalized !== null },
    files: (isWhole ? files.files : []).flatMap(({ file, digest, url }) =>
      digest === null ? [] : [{ file, digest, url }],
    ),
  };
};
