import type { Ecosystem } from './ecosystem.ts';

/** Grammar of package names in an ecosystem: the allowed characters, an explanation, and the canonical spelling. */
interface NameRule {
  readonly pattern: RegExp;
  readonly maxLength: number;
  readonly explanation: string;
  readonly canonical: (name: string) => string;
}

const maxLength = 255;
const maxNpmLength = 214;

/** Matches characters that could change the meaning of a path, in any ecosystem. */
export const unsafeInPath = /[^!-~]|[%?#\\]|\.\.|\/\//;

const pypiName = /^[A-Za-z0-9](?:[A-Za-z0-9._-]*[A-Za-z0-9])?$/;
const npmName = /^(?:@[A-Za-z0-9_~-][A-Za-z0-9._~-]*\/)?[A-Za-z0-9~][A-Za-z0-9._~-]*$/;
const mavenName = /^[A-Za-z0-9_.-]+:[A-Za-z0-9_.-]+$/;

const hostLabel = '[A-Za-z0-9](?:[A-Za-z0-9-]*[A-Za-z0-9])?';
/** As in the OCI distribution grammar: a first component is a host only if it has a dot or port, or is `localhost`. */
const host = `(?:localhost|${hostLabel}(?:\\.${hostLabel})+|${hostLabel}(?=:))(?::[0-9]{1,5})?/`;
const pathComponent = '[a-z0-9]+(?:(?:\\.|_|__|-+)[a-z0-9]+)*';
const dockerName = new RegExp(`^(?:${host})?${pathComponent}(?:/${pathComponent})*$`);

/** Matches a host of Docker Hub at the start of a lower-case name. */
export const hubHost = /^(?:(?:index|registry-1)\.)?docker\.io\//;
const anyHost = /^(?:localhost|[^/]*[.:][^/]*)\//;

/**
 * Removes Docker Hub's host and the `library/` of official images. The host remains if the rest starts like a host:
 * `docker.io/ghcr.io/a` and `ghcr.io/a` are different images.
 */
const dropDefaultHost = (name: string): string => {
  const path = name.replace(hubHost, '');
  if (path === name && anyHost.test(name)) return name;
  const short = path.replace(/^library\/(?=[^/]+$)/, '');
  return anyHost.test(short) ? `docker.io/${short}` : short;
};

/** True if an image with this canonical name is from Docker Hub. */
export const isHubImage = (canonicalName: string): boolean =>
  !anyHost.test(canonicalName) || hubHost.test(canonicalName);

const rules: Readonly<Record<Ecosystem, NameRule>> = {
  pypi: {
    pattern: pypiName,
    maxLength,
    explanation: 'letters, digits, ".", "_" and "-", with a letter or digit at both ends',
    canonical: (name) => name.toLowerCase().replace(/[-_.]+/g, '-'),
  },
  npm: {
    pattern: npmName,
    maxLength: maxNpmLength,
    explanation: `an npm name such as "lodash" or "@types/node", at most ${maxNpmLength} characters`,
    canonical: (name) => name,
  },
  maven: {
    pattern: mavenName,
    maxLength,
    explanation: 'group:artifact, such as "org.slf4j:slf4j-api"',
    canonical: (name) => name,
  },
  docker: {
    pattern: dockerName,
    maxLength,
    explanation: 'a lower-case image name, such as "nginx" or "ghcr.io/owner/image", without a tag',
    canonical: (name) => dropDefaultHost(name.toLowerCase()),
  },
};

/** True if `name` is a valid package name of the ecosystem. */
export const isPackageName = (ecosystem: Ecosystem, name: string): boolean =>
  name.length <= rules[ecosystem].maxLength &&
  !unsafeInPath.test(name) &&
  rules[ecosystem].pattern.test(name);

/** Returns the pattern and maximum length of names in an ecosystem. Names must also be safe in paths. */
export const findNameRule = (ecosystem: Ecosystem): Pick<NameRule, 'pattern' | 'maxLength'> =>
  rules[ecosystem];

/** Returns an explanation of valid names, to complete the sentence "must be …". */
export const explainPackageName = (ecosystem: Ecosystem): string =>
  `${rules[ecosystem].explanation}; ASCII only, at most ${maxLength} characters, without "..", "//", %, ?, # and \\`;

/** Returns the canonical spelling of a name, equal for all spellings of the same name (PEP 503 for pypi). */
export const canonicalizeName = (ecosystem: Ecosystem, name: string): string =>
  rules[ecosystem].canonical(name);

/**
 * Returns a lookup key that is equal for names that are equal in any ecosystem, to find a name without its ecosystem.
 * Different names may have the same key, so callers must also compare the canonical name.
 */
export const foldName = (name: string): string =>
  dropDefaultHost(name.toLowerCase()).replace(/[-_.]+/g, '-');
