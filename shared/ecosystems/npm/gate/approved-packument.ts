import semver from 'semver';
import { dropOversized, takeFitting } from '../../../domain/answer-size.ts';
import { findIntegrity } from '../../../domain/facts/npm-integrity.ts';
import type { ListedFacts } from '../../../storage/packs/packed-version.ts';
import { isObject, type JsonObject, omitFields, readTextAt } from '../../../util/json.ts';
import type { ServedVersion } from '../../gate/approved.ts';
import { toAttestationsPath } from '../registry-paths.ts';
import { type ApprovedVersions, keepInstallable } from './installable.ts';
import { dropScope } from './request.ts';

type Served = ServedVersion<'npm'>;

/**
 * Returns the `license` field of a version as upstream wrote it; an empty object if upstream shows no license of this
 * version. Several licenses without one statement are joined by commas, so that no client parses them as an expression.
 */
const showLicense = ({
  license_declaration,
  license_statement,
  licenses_declared,
}: ListedFacts) => {
  if (!['readable', 'unreadable'].includes(license_declaration)) return {};
  const license = license_statement ?? licenses_declared.join(', ');
  return license === '' ? {} : { license };
};

/**
 * Returns the `attestations` of a version with a URL of the gate; an empty object if upstream has no URL. Clients use only
 * the path of this URL. Newer releases of npm request it from the host of the gate, so that it must have the gate's path.
 * Older ones append it to the URL of the gate, which gives a doubled path.
 */
const showAttestations = (dist: JsonObject, address: string): JsonObject => {
  const { attestations } = dist;
  if (!isObject(attestations) || !readTextAt(attestations, 'url')) return {};
  return { attestations: { ...attestations, url: address } };
};

const toVersion = (
  { version, manifest, facts }: Served,
  { name, base, approved }: { name: string; base: string; approved: ApprovedVersions },
): [string, JsonObject] | undefined => {
  const upstream = isObject(manifest.version['dist']) ? manifest.version['dist'] : {};
  const integrity = findIntegrity(upstream);
  // Clients would install a file without integrity unchecked, and would fail at a version that is not SemVer.
  if (!integrity || !semver.valid(version)) return undefined;
  const tarball = `${base}/${name}/-/${dropScope(name)}-${version}.tgz`;
  const kept = keepInstallable(manifest.version, approved);
  const dist = {
    ...omitFields(upstream, ['attestations']),
    ...showAttestations(upstream, `${base}/${toAttestationsPath(name, version)}`),
    integrity,
    tarball,
  };
  return [version, { ...kept, name, version, ...showLicense(facts), dist }];
};

/** Returns the version for the `latest` tag: the highest release, or else the highest prerelease. */
const findLatest = (versions: readonly string[]): string | undefined => {
  const ordered = semver.rsort([...versions]);
  return ordered.find((version) => semver.prerelease(version) === null) ?? ordered[0];
};

/** Returns the URLs of a version's project as upstream declared them. Update bots group packages by repository. */
const showProject = ({ homepage, repository }: ListedFacts): JsonObject => ({
  ...(homepage !== null && { homepage }),
  ...(repository !== null && { repository }),
});

/**
 * Returns the packument with approved versions only, whose tarball URLs point to the gate. Undefined if no version can
 * be installed. If the versions exceed the size limit of a response, the packument has the first ones that fit.
 * @param base URL of the gate, without a trailing slash
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
  const newest = versions.find(({ version }) => version === latest);
  if (newest === undefined) return undefined;
  const times = made.flatMap(({ entry: [version], publishedAt }) =>
    publishedAt === null ? [] : [[version, publishedAt] as const],
  );
  const moments = times.map(([, at]) => at).sort();
  const [created, modified] = [moments[0], moments.at(-1)];
  return {
    name,
    ...showProject(newest.facts),
    'dist-tags': { latest },
    ...(modified && { modified, time: { created, modified, ...Object.fromEntries(times) } }),
    versions: Object.fromEntries(made.map(({ entry }) => entry)),
  };
};
