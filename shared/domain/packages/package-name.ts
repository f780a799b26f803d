import type { Ecosystem } from './ecosystem.ts';

/** How one ecosystem writes names: what is allowed, in words and as a pattern, and which spellings are the same name. */
interface NameRule {
  readonly pattern: RegExp;
  readonly maxLength: number;
  readonly explanation: string;
  readonly canonical: (name: string) => string;
}

const maxLength = 255;
const maxNpmLength = 214;

/** Separators and escapes that would let a name or version mean something else in a path, whatever its ecosystem. */
export const unsafeInPath = /[^!-~]|[%?#\\]|\.\.|\/\//;

const pypiName = /^[A-Za-z0-9](?:[A-Za-z0-9._-]*[A-Za-z0-9])?$/;
const npmName = /^(?:@[A-Za-z0-9_~-][A-Za-z0-9._~-]*\/)?[A-Za-z0-9~][A-Za-z0-9._~-]*$/;
const mavenName = /^[A-Za-z0-9_.-]+:[A-Za-z0-9_.-]+$/;

const hostLabel = '[A-Za-z0-9](?:[A-Za-z0-9-]*[A-Za-z0-9])?';
/** As in the OCI distribution grammar, a first component is a host only with a dot, a port, or as `localhost`. */
const host = `(?:localhost|${hostLabel}(?:\\.${hostLabel})+|${hostLabel}(?=:))(?::[0-9]{1,5})?/`;
const pathComponent = '[a-z0-9]+(?:(?:\\.|_|__|-+)[a-z0-9]+)*';
const dockerName = new RegExp(`^(?:${host})?${pathComponent}(?:/${pathComponent})*$`);

/** The hosts of Docker Hub at the beginning of a lower-case name. */
export const hubHost = /^(?:(?:index|registry-1)\.)?docker\.io\//;
const anyHost = /^(?:localhost|[^/]*[.:][^/]*)\//;

/**
 * Drops Docker Hub's host and the `library/` of its official images. The host stays where the rest begins like a host,
 * because `docker.io/ghcr.io/a` and `ghcr.io/a` are two images.
 */
const dropDefaultHost = (name: string): string => {
  const path = name.replace(hubHost, '');
  if (path === name && anyHost.test(name)) return name;
  const short = path.replace(/^library\/(?=[^/]+$)/, '');
  return anyHost.test(short) ? `docker.io/${short}` : short;
};

/** Whether an image with this canonical name comes from Docker Hub. */
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

/** Whether `name` can be a package of that ecosystem. */
export const isPackageName = (ecosystem: Ecosystem, name: string): boolean =>
  name.length <= rules[ecosystem].maxLength &&
  !unsafeInPath.test(name) &&
  rules[ecosystem].pattern.test(name);

/** What a name of that ecosystem matches, besides that nothing in it is unsafe in a path. */
export const findNameRule = (ecosystem: Ecosystem): Pick<NameRule, 'pattern' | 'maxLength'> =>
  rules[ecosystem];

/** What a name of that ecosystem looks like, to complete the sentence "must be …". */
export const explainPackageName = (ecosystem: Ecosystem): string =>
  `${rules[ecosystem].explanation}; ASCII only, at most ${maxLength} characters, without "..", "//", %, ?, # and \\`;

/** The one spelling that stands for every spelling of the same name in that ecosystem (PEP 503 for pypi). */
export const canonicalizeName = (ecosystem: Ecosystem, name: string): string =>
  rules[ecosystem].canonical(name);

/**
 * A key that is the same for any two names that are equal in some ecosystem, so that one read finds a name whose
 * ecosystem is not known. Different names may share it: whoever reads by it checks the canonical name too.
 */
export const foldName = (name: string): string =>
  dropDefaultHost(name.toLowerCase()).replace(/[-_.]+/g, '-');
