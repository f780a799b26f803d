import { type Attribute, type Entry, toEntry } from '../../../domain/changes/release.ts';
import { type DependencyEntry, listEntries } from '../../../domain/facts/npm-specs.ts';
import type { NamedRange } from '../../../domain/facts/release-details.ts';
import { isObject, type JsonObject, readAt } from '../../../util/json.ts';
import {
  listBuild,
  listCommonAttributes,
  type StoredRelease,
  toNameEntries,
  toNumberText,
  toRangeEntries,
} from '../../manifest/common-attributes.ts';

const readVersion = ({ manifest }: StoredRelease): JsonObject | undefined =>
  manifest?.kind === 'npm' ? manifest.version : undefined;

/** Returns the peer dependencies that npm installs. */
const listPeers = (version: JsonObject): DependencyEntry[] =>
  listEntries(version['peerDependencies']).filter(
    ([name]) => readAt(version, 'peerDependenciesMeta', name, 'optional') !== true,
  );

/** Returns all dependencies that npm may install with a version, from any source: also optional and peer dependencies. */
export const listInstalledByNpm = (version: JsonObject): NamedRange[] => {
  const entries = new Map([
    ...listPeers(version),
    ...listEntries(version['dependencies']),
    // Of equal names, npm installs the optional one.
    ...listEntries(version['optionalDependencies']),
  ]);
  return [...entries].map(([name, range]) => ({ name, range }));
};

/** Returns the install scripts by name. Without details, only their names are known. */
const readScripts = ({ facts, details }: StoredRelease): ReadonlyMap<string, Entry> | undefined => {
  if (details?.install_scripts) {
    return new Map(
      details.install_scripts.map(({ name, text, digest }) => [
        name,
        { text: text ?? '', compared: digest ?? undefined },
      ]),
    );
  }
  const names = facts?.install_scripts;
  return names
    ? new Map(names.map((name) => [name, { text: '', compared: undefined }]))
    : undefined;
};

/** Returns the commands that npm links, by name. A package with one command may name only its file. */
const readCommands = (version: JsonObject): ReadonlyMap<string, Entry> => {
  const { bin, name } = version;
  if (typeof bin !== 'string') return toTextEntries(bin);
  const own = typeof name === 'string' ? name : '';
  return new Map([[own.slice(own.indexOf('/') + 1), toEntry(bin)]]);
};

const toTextEntries = (value: unknown): ReadonlyMap<string, Entry> =>
  new Map(
    Object.entries(isObject(value) ? value : {}).flatMap(([name, text]): [string, Entry][] =>
      typeof text === 'string' ? [[name, toEntry(text)]] : [],
    ),
  );

/** Returns the attributes of an npm version. */
export const listNpmAttributes = (release: StoredRelease): Attribute[] => {
  const version = readVersion(release);
  const { details } = release;
  return [
    { field: 'install_scripts', entries: readScripts(release) },
    { field: 'dependencies', entries: toRangeEntries(version && listInstalledByNpm(version)) },
    { field: 'publisher', value: details?.publisher },
    { field: 'trusted_publisher', value: details?.trusted_publisher },
    { field: 'maintainers', entries: toNameEntries(details?.maintainers) },
    ...listCommonAttributes(release),
    ...listBuild(release),
    { field: 'bin', entries: version && readCommands(version) },
    { field: 'engines', entries: version && toTextEntries(version['engines']) },
    { field: 'size', value: toNumberText(readAt(version, 'dist', 'unpackedSize')) },
    { field: 'file_count', value: toNumberText(readAt(version, 'dist', 'fileCount')) },
  ];
};
