import type { OriginServer } from './origin-server.ts';

interface Published {
  readonly version: string;
  /** When it was published, ISO 8601. */
  readonly at: string;
  /** Fields that differ from those of a trusted publication. */
  readonly fields?: object;
}

/** Fields of a version that a stolen account published: other publisher, added script, lost provenance, greater size. */
export const maliciousFields = {
  _npmUser: { name: 'jason' },
  scripts: { postinstall: 'node setup.js' },
  dist: { attestations: undefined, unpackedSize: 1_000_100 },
};

/** Returns a version as npm's registry has it, published with a trusted publisher and provenance. */
const toVersion = (
  { url }: OriginServer,
  name: string,
  { version, fields }: Published,
): Readonly<Record<string, unknown>> => {
  const dist = {
    tarball: `${url}/${name}-${version}.tgz`,
    integrity: `sha512-${Buffer.from(version.padEnd(64)).toString('base64')}`,
    signatures: [],
    attestations: { url: `${url}/attestations` },
    ...{ unpackedSize: 1_000_000, fileCount: 80 },
  };
  const changed: { readonly dist?: object } = fields ?? {};
  return {
    ...{ name, version, license: 'MIT' },
    repository: { url: `git+https://code.example/${name}/${name}.git` },
    _npmUser: { name: 'GitHub Actions', trustedPublisher: { id: 'github' } },
    maintainers: [{ name: 'jason' }],
    ...changed,
    dist: { ...dist, ...changed.dist },
  };
};

/** Serves the versions of an npm package with their publication times. */
export const servePackage = (
  origin: OriginServer,
  name: string,
  versions: readonly Published[],
): void =>
  origin.serve(`/npm/${name}`, {
    body: {
      ...{ name, 'dist-tags': { latest: versions.at(-1)?.version } },
      time: Object.fromEntries(versions.map(({ version, at }) => [version, at])),
      versions: Object.fromEntries(
        versions.map((one) => [one.version, toVersion(origin, name, one)]),
      ),
    },
  });
