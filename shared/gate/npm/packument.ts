import semver from 'semver';
import { dropOversized, takeFitting } from '../../domain/answer-size.ts';
import { isObject, type JsonObject, readTextAt } from '../../domain/json.ts';
import type { ServedVersion } from '../approved.ts';
import { dropScope } from './request.ts';

type Served = ServedVersion<'npm'>;

/** Which versions of packages are approved, by their names. */
export type ApprovedVersions = ReadonlyMap<string, readonly string[]>;

/** What a dependency asks for: `npm:other@^1.0.0` is another package under this name. */
const readSpec = (name: string, spec: string) => {
  const alias = /^npm:(?<real>(?:@[^/]+\/)?[^@/]+)(?:@(?<range>.*))?$/.exec(spec)?.groups;
  return { name: alias?.['real'] ?? name, range: alias ? (alias['range'] ?? '*') : spec };
};

const listEntries = (dependencies: unknown): [string, string][] =>
  Object.entries(isObject(dependencies) ? dependencies : {}).filter(
    (entry): entry is [string, string] => typeof entry[1] === 'string',
  );

/** Of so many packages is asked at most: the others are left out. No package has nearly as many. */
const mostNames = 200;

/** The packages that versions may do without: where none of what they allow is approved, clients are not told of them. */
export const listOptionalNames = (versions: readonly Served[]): readonly string[] => {
  const entries = versions.flatMap(({ manifest }) =>
    listEntries(manifest.version['optionalDependencies']),
  );
  return [...new Set(entries.map(([name, spec]) => readSpec(name, spec).name))].slice(0, mostNames);
};

/** Longer ones are nothing that people write, and take long to be understood. */
const longestRange = 256;

const isInstallable = ([name, spec]: [string, string], approved: ApprovedVersions): boolean => {
  const asked = readSpec(name, spec);
  const versions = approved.get(asked.name) ?? [];
  // With nothing else than releases to come, clients take these.
  if (['', '*', 'latest'].includes(asked.range)) return versions.length > 0;
  // What is no range comes from elsewhere than a registry, or by a tag, of which there is only the latest.
  if (asked.range.length > longestRange || !semver.validRange(asked.range)) return false;
  return versions.some((version) => semver.satisfies(version, asked.range));
};

/** A version's dependencies without the optional ones of which nothing is approved; npm lists those in both. */
const keepInstallable = (version: JsonObject, approved: ApprovedVersions): JsonObject => {
  const { optionalDependencies, dependencies, ...rest } = version;
  const optional = listEntries(optionalDependencies);
  const kept = optional.filter((entry) => isInstallable(entry, approved));
  const dropped = optional.filter((entry) => !kept.includes(entry)).map(([name]) => name);
  const needed = listEntries(dependencies).filter(([name]) => !dropped.includes(name));
  return {
    ...rest,
    ...(isObject(dependencies) && { dependencies: Object.fromEntries(needed) }),
    ...(isObject(optionalDependencies) && { optionalDependencies: Object.fromEntries(kept) }),
  };
};

/** What else is there, clients pass over, and check nothing. */
const strong = /(?:^|\s)sha(?:1|256|384|512)-[A-Za-z0-9+/]+={0,2}(?:$|[\s?])/;

/** The checksum by which clients hold a file to what was approved; versions of long ago have it in another form only. */
export const findIntegrity = (dist: unknown): string | undefined => {
  const integrity = readTextAt(dist, 'integrity');
  if (integrity && strong.test(integrity)) return integrity;
  const shasum = readTextAt(dist, 'shasum') ?? '';
  return /^[0-9a-f]{40}$/i.test(shasum)
    ? `sha1-${Buffer.from(shasum, 'hex').toString('base64')}`
    : undefined;
};

const toVersion = (
  { version, manifest }: Served,
  { name, base, approved }: { name: string; base: string; approved: ApprovedVersions },
): [string, JsonObject] | undefined => {
  const dist = isObject(manifest.version['dist']) ? manifest.version['dist'] : {};
  const integrity = findIntegrity(dist);
  // Clients would install it unchecked, or fail at a version that is none to them.
  if (!integrity || !semver.valid(version)) return undefined;
  const tarball = `${base}/${name}/-/${dropScope(name)}-${version}.tgz`;
  const kept = keepInstallable(manifest.version, approved);
  return [version, { ...kept, name, version, dist: { ...dist, integrity, tarball } }];
};

/** The version that is installed where none is named: the highest that is no prerelease, else the highest. */
const findLatest = (versions: readonly string[]): string | undefined => {
  const ordered = semver.rsort([...versions]);
  return ordered.find((version) => semver.prerelease(version) === null) ?? ordered[0];
};

/**
 * What npm's protocol says of a package, of its approved versions alone, with their files at the gate itself; undefined
 * where none can be installed. Of more than fit into an answer, the first ones.
 * @param base the address of the gate, without a slash at its end
 */
export const makePackument = (
  name: string,
  versions: readonly Served[],
  { base, approved }: { readonly base: string; readonly approved: ApprovedVersions },
): JsonObject | undefined => {
  const entries = versions.flatMap((served) => {
    const entry = toVersion(served, { name, base, approved });
    return entry ? [{ entry, publishedAt: served.facts.published_at }] : [];
  });
  const made = takeFitting(dropOversized(entries));
  const latest = findLatest(made.map(({ entry: [version] }) => version));
  if (latest === undefined) return undefined;
  const times = made.flatMap(({ entry: [version], publishedAt }) =>
    publishedAt === null ? [] : [[version, publishedAt] as const],
  );
  const moments = times.map(([, at]) => at).sort();
  const [created, modified] = [moments[0], moments.at(-1)];
  return {
    name,
    'dist-tags': { latest },
    ...(modified && { modified, time: { created, modified, ...Object.fromEntries(times) } }),
    versions: Object.fromEntries(made.map(({ entry }) => entry)),
  };
};
