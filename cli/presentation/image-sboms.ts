import type { VersionEvidence } from '../../shared/api/schemas/evidence.ts';
import type { ImageSbom } from '../../shared/domain/facts/release-details.ts';

/** Titles of the formats of SBOMs. */
export const sbomTitles: Readonly<Record<ImageSbom['format'], string>> = {
  cyclonedx: 'CycloneDX',
  spdx: 'SPDX',
};

/** Describes the SBOMs that are attached to an image: `CycloneDX, SPDX`; null if there are none, or they are unknown. */
export const describeSboms = ({ files }: VersionEvidence): string | null => {
  const formats = (files?.sboms ?? []).map(({ format }) => sbomTitles[format]);
  return formats.length === 0 ? null : [...new Set(formats)].join(', ');
};
