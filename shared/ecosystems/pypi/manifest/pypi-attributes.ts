import type { Attribute } from '../../../domain/changes/release.ts';
import type { Manifest, PypiFile } from '../../../domain/facts/manifest.ts';
import type { NamedRange } from '../../../domain/facts/release-details.ts';
import {
  listBuild,
  listCommonAttributes,
  type StoredRelease,
  sumSizes,
  toNameEntries,
  toNumberText,
  toRangeEntries,
} from '../../manifest/common-attributes.ts';
import { isWheel } from '../file-name.ts';
import { groupRequirements, mostRequirements } from './requirements.ts';

type PypiManifest = Extract<Manifest, { readonly kind: 'pypi' }>;

/**
 * Returns the mandatory requirements; undefined if they are unknown, or cut. A manifest without requirements has none
 * only if upstream showed the metadata.
 */
const listRequired = (
  manifest: PypiManifest,
  { details }: Pick<StoredRelease, 'details'>,
): readonly NamedRange[] | undefined => {
  const { requirements } = manifest;
  if (!requirements) return details?.described ? [] : undefined;
  if (requirements.length >= mostRequirements) return undefined;
  return [...groupRequirements(requirements)].map(([name, ranges]) => ({
    name,
    range: ranges.length > 1 ? ranges.map((range) => range || '*').join(' or ') : (ranges[0] ?? ''),
  }));
};

/** Returns the Python versions that the files require; null if no file requires any. */
const readPython = (files: readonly PypiFile[]): string | null =>
  [...new Set(files.flatMap((file) => file['requires-python'] ?? []))].toSorted().join(' or ') ||
  null;

/** Returns which kinds of files a version has. A source archive runs the code of its build at installation. */
const listKinds = (files: readonly PypiFile[]): string[] => {
  const kinds = files.map(({ filename }) => (isWheel(filename) ? 'wheel' : 'sdist'));
  return [...new Set(kinds)];
};

/** Returns the attributes of a PyPI version. PyPI shows no publishers, but verified provenance shows the build. */
export const listPypiAttributes = (release: StoredRelease): Attribute[] => {
  const manifest = release.manifest?.kind === 'pypi' ? release.manifest : undefined;
  const files = manifest?.files;
  return [
    {
      field: 'dependencies',
      entries: toRangeEntries(manifest && listRequired(manifest, release)),
    },
    ...listCommonAttributes(release),
    ...listBuild(release),
    { field: 'distributions', entries: toNameEntries(files && listKinds(files)) },
    { field: 'requires_python', value: files && readPython(files) },
    { field: 'size', value: files && sumSizes(files.map(({ size }) => size)) },
    { field: 'file_count', value: toNumberText(files?.length) },
  ];
};
