import type { Attribute } from '../../../domain/changes/release.ts';
import {
  listCommonAttributes,
  type StoredRelease,
  toNumberText,
  toRangeEntries,
} from '../../manifest/common-attributes.ts';

/** Returns the attributes of a Maven version. Repositories show neither publishers nor the sizes of files. */
export const listMavenAttributes = (release: StoredRelease): Attribute[] => {
  const { details } = release;
  const manifest = release.manifest?.kind === 'maven' ? release.manifest : undefined;
  return [
    { field: 'dependencies', entries: toRangeEntries(details?.dependencies) },
    ...listCommonAttributes(release),
    { field: 'plugins', entries: toRangeEntries(details?.plugins) },
    {
      field: 'file_count',
      value: toNumberText(manifest?.unlisted ? undefined : manifest?.files.length),
    },
  ];
};
