import semver from 'semver';
import { dropOversized, takeFitting } from '../../../domain/answer-size.ts';
import type { Facts } from '../../../domain/facts/facts.ts';
import { findIntegrity } from '../../../domain/facts/npm-integrity.ts';
import { isObject, type JsonObject } from '../../../util/json.ts';
import type { ServedVersion } from '../../gate/approved.ts';
import { type ApprovedVersions, keepInstallable } from './installable.ts';
import { dropScope } from './request.ts';

type Served = ServedVersion<'npm'>;

/**
 * The license that the version's origin states, in its own words; nothing where it does not show the version's own one.
 * Several that make no statement stand side by side, which no client takes for an expression.
 */
const showLicense = ({ license_declaration, license_statement, licenses_declared }: Facts) => {
  if (!['readable', 'unreadable'].includes(license_declaration)) return {};
  const license = license_statement ?? licenses_declared.join(', ');
  return license === '' ? {} : { license };
};

const toVersion = (
  { version, manifest, facts }: Served,
  { name, base, approved }: { name: string; base: string; approved: ApprovedVersions },
): [string, JsonObject] | undefined => {
  const dist = isObject(manifest.version['dist']) ? manifest.version['dist'] : {};
  const integrity = findIntegrity(dist);
  // Clients would install it unchecked, or fail at a version that is none to them.
  if (!integrity || !semver.valid(version)) return undefined;
  const tarball = `${base}/${name}/-/${dropScope(name)}-${version}.tgz`;
  const kept = keepInstallable(manifest.version, approved);
  const served = { name, version, ...showLicense(facts), dist: { ...dist, integrity, tarball } };
  return [version, { ...kept, ...served }];
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
