import type { Attribute, Entry } from '../../../domain/changes/release.ts';
import {
  listCommonAttributes,
  type StoredRelease,
  sumSizes,
  toNameEntries,
} from '../../manifest/common-attributes.ts';

/** Returns the labels by name, which are compared by the digests of their values. */
const readLabels = ({ details }: StoredRelease): ReadonlyMap<string, Entry> | undefined =>
  details?.labels &&
  new Map(details.labels.map(({ name, text, digest }) => [name, { text, compared: digest }]));

/** Returns the attributes of an image. Command, user and labels are those of one platform. */
export const listImageAttributes = (release: StoredRelease): Attribute[] => {
  const images = release.manifest?.kind === 'docker' ? release.manifest.images : undefined;
  const { details } = release;
  return [
    { field: 'entrypoint', value: details?.entrypoint },
    { field: 'command', value: details?.command },
    { field: 'user', value: details?.user },
    ...listCommonAttributes(release),
    { field: 'platforms', entries: toNameEntries(images?.map(({ platform }) => platform)) },
    { field: 'labels', entries: readLabels(release) },
    { field: 'size', value: images && sumSizes(images.map(({ size }) => size)) },
  ];
};
