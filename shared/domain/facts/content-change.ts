import type { Manifest } from './manifest.ts';

const readText = (value: unknown): string | undefined =>
  typeof value === 'string' && value !== '' ? value : undefined;

/** Returns the checksums of npm's only file, by kind. */
const listOfNpm = (version: Readonly<Record<string, unknown>>): [string, string | undefined][] => {
  const { integrity, shasum } = {
    integrity: undefined,
    shasum: undefined,
    ...Object(version['dist']),
  };
  return [
    ['integrity', readText(integrity)],
    ['shasum', readText(shasum)],
  ];
};

/** Returns the checksums of all files by file and kind. They change only if a file's content changes. */
const listChecksums = (manifest: Manifest): [string, string | undefined][] => {
  switch (manifest.kind) {
    case 'npm':
      return listOfNpm(manifest.version);
    case 'pypi':
      return manifest.files.flatMap(({ filename, hashes }) =>
        Object.entries(hashes).map(([kind, sum]): [string, string] => [`${filename} ${kind}`, sum]),
      );
    case 'maven':
      return manifest.files.flatMap(({ name, checksums }) =>
        Object.entries(checksums).map(([kind, sum]): [string, string] => [`${name} ${kind}`, sum]),
      );
    // The digest of the image or index covers the images of all platforms.
    case 'docker':
      return [['digest', manifest.digest]];
  }
};

/** True if the content of an existing file changed, or a tag was moved to another image. New and removed files are ignored. */
export const hasContentChanged = (before: Manifest, after: Manifest): boolean => {
  const now = new Map(listChecksums(after));
  return listChecksums(before).some(([file, sum]) => {
    const other = now.get(file);
    return sum !== undefined && other !== undefined && sum !== other;
  });
};
