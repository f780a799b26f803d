/** Addresses of upstream registries, and the same addresses at the benchmark's own origin. */
/** Ecosystems whose installs the benchmark measures. */
const installed = ['npm', 'pypi', 'maven'] as const;
export type InstalledEcosystem = (typeof installed)[number];

/** Base address by ecosystem, each with a trailing slash. */
export type Addresses = Readonly<Record<InstalledEcosystem, string>>;

/** Path of a host that stores files for an upstream registry: `/at/files.example.com/`. */
const otherHost = /^\/at\/(?<host>[a-z0-9.-]+)\/(?<rest>.*)$/;

/** Value of the field `url` of a file in the JSON pages of PyPI. */
const fileAddress = /("url":\s*")https:\/\/([a-z0-9.-]+)\//g;

/** Returns the addresses of the origin at `url`, such as `http://127.0.0.1:4000/npm/`. */
export const toOriginAddresses = (url: string): Addresses => ({
  npm: `${url}/npm/`,
  pypi: `${url}/pypi/`,
  maven: `${url}/maven/`,
});

/** Returns the upstream URL of a path of the origin; undefined for a path outside of the registries and their hosts. */
export const toUpstreamUrl = (
  path: string,
  { upstream, hosts }: { readonly upstream: Addresses; readonly hosts: ReadonlySet<string> },
): string | undefined => {
  const [, first = '', rest = ''] = /^\/([a-z]+)\/(.*)$/s.exec(path) ?? [];
  const ecosystem = installed.find((one) => one === first);
  if (ecosystem) return `${upstream[ecosystem]}${rest}`;
  const other = otherHost.exec(path)?.groups;
  return other?.['host'] && hosts.has(other['host'])
    ? `https://${other['host']}/${other['rest']}`
    : undefined;
};

/** Returns the text of an index page with addresses of the origin, and the names of other hosts in it. */
export const moveAddresses = (
  text: string,
  { url, upstream }: { readonly url: string; readonly upstream: Addresses },
): { readonly text: string; readonly hosts: readonly string[] } => {
  const hosts = new Set<string>();
  const own = toOriginAddresses(url);
  const moved = text
    .replaceAll(upstream.npm, own.npm)
    .replaceAll(upstream.pypi, own.pypi)
    .replace(fileAddress, (_, before: string, host: string) => {
      hosts.add(host);
      return `${before}${url}/at/${host}/`;
    });
  return { text: moved, hosts: [...hosts] };
};
