import type { Attribute } from '../../../domain/changes/release.ts';
import {
  listCommonAttributes,
  type StoredRelease,
  sumSizes,
  toNameEntries,
} from '../../manifest/common-attributes.ts';

/** Returns the attributes of an image. Its configuration is not downloaded: neither its labels nor its entrypoint. */
export const listImageAttributes = (release: StoredRelease): Attribute[] => {
  const images = release.manifest?.kind === 'docker' ? release.manifest.images : undefined;
  return [
    ...listCommonAttributes(release),
    { field: 'platforms', entries: toNameEntries(images?.map(({ platform }) => platform)) },
    { field: 'size', value: images && sumSizes(images.map(({ size }) => size)) },
  ];
};
