import type { Manifest } from './manifest.ts';

const readText = (value: unknown): string | undefined =>
  typeof value === 'string' && value !== '' ? value : undefined;

/** The checksums of npm's only file, by their kinds. */
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

/** What must be the same as long as a file is: its checksums, each by the file and its kind. */
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
    // A tag is there to be moved.
    case 'docker':
      return [];
  }
};

/** Whether a file that there was is another one now. One that came or went says nothing of the others. */
export const isRepublished = (before: Manifest, after: Manifest): boolean => {
  const now = new Map(listChecksums(after));
  return listChecksums(before).some(([file, sum]) => {
    const other = now.get(file);
    return sum !== undefined && other !== undefined && sum !== other;
  });
};
