import { matchesGlob } from '../../util/match-glob.ts';
import {
  joinNames,
  type PurlName,
  type PurlParts,
  type PurlRules,
  splitName,
} from '../purl-rule.ts';
import { keepAsWritten, type TextRule } from '../text-rule.ts';

/** Builds the pattern of image names. A first component is a host only with a dot, a port, or as `localhost` (OCI). */
const buildNamePattern = (): RegExp => {
  const label = '[A-Za-z0-9](?:[A-Za-z0-9-]*[A-Za-z0-9])?';
  const host = `(?:localhost|${label}(?:\\.${label})+|${label}(?=:))(?::[0-9]{1,5})?/`;
  const component = '[a-z0-9]+(?:(?:\\.|_|__|-+)[a-z0-9]+)*';
  return new RegExp(`^(?:${host})?${component}(?:/${component})*$`);
};

const tagOrDigest = /^(?:[A-Za-z0-9_][A-Za-z0-9._-]{0,127}|sha256:[0-9a-f]{64})$/;

/** Matches a host of Docker Hub at the start of a lower-case name. */
const hubHost = /^(?:(?:index|registry-1)\.)?docker\.io\//;
const anyHost = /^(?:localhost|[^/]*[.:][^/]*)\//;

/**
 * Removes Docker Hub's host and the `library/` of its official images. The host stays if the rest begins like a host,
 * because `docker.io/ghcr.io/a` and `ghcr.io/a` are two images.
 */
const dropDefaultHost = (name: string): string => {
  const path = name.replace(hubHost, '');
  if (path === name && anyHost.test(name)) return name;
  const short = path.replace(/^library\/(?=[^/]+$)/, '');
  return anyHost.test(short) ? `docker.io/${short}` : short;
};

/** True if an image with this canonical name comes from Docker Hub. */
const isHubImage = (canonicalName: string): boolean =>
  !anyHost.test(canonicalName) || hubHost.test(canonicalName);

const official = /^library\/[^/]+$/;

/** Returns the host before a name or pattern with its slash; empty if there is none. */
const hostOf = (name: string): string => anyHost.exec(name)?.[0] ?? '';

/** True if the host of a pattern and its path match those of an image; also true for a pattern without a host. */
const matchesHost = (pattern: string, canonicalName: string): boolean => {
  const [host, itsHost] = [hostOf(pattern), hostOf(canonicalName)];
  return (
    host === '' ||
    (matchesGlob(host, itsHost) &&
      matchesGlob(pattern.slice(host.length), canonicalName.slice(itsHost.length)))
  );
};

/**
 * True if a pattern names a host or Docker Hub's official images, and the image is not one of these. A star in the host
 * matches no slash: `*.acme.example/*` is not `evil.example/x.acme.example/y`.
 */
export const isElsewhere = (pattern: string, canonicalName: string): boolean => {
  const written = pattern.toLowerCase();
  if (hubHost.test(written)) {
    if (!isHubImage(canonicalName)) return true;
  } else if (!matchesHost(written, canonicalName)) return true;
  return official.test(written.replace(hubHost, '')) && canonicalName.includes('/');
};

/** Matches the host names of Docker Hub in a `repository_url`. */
const hubAddress = /^(?:index\.|registry-1\.|registry\.hub\.|hub\.)?docker\.(?:io|com)(?=\/|$)/;

/** Returns the repository without its scheme, and with `docker.io` for each host name of Docker Hub. */
const cleanRepository = (url: string | null): string | undefined =>
  url
    ?.replace(/^https?:\/\//, '')
    .replace(/\/+$/, '')
    .replace(hubAddress, 'docker.io') || undefined;

const nameOci = ({ name, qualifiers }: PurlParts): string => {
  const repository = cleanRepository(qualifiers.get('repository_url'));
  // The qualifier should contain the whole repository, but some tools omit the name.
  const isWhole = repository === name || repository?.endsWith(`/${name}`);
  return isWhole ? (repository ?? name) : joinNames('/', repository, name);
};

const nameDocker = ({ namespace, name, qualifiers }: PurlParts): string =>
  joinNames('/', cleanRepository(qualifiers.get('repository_url')), namespace, name);

/** Returns the version of an image: the tag if there is one, else the version, such as a digest. */
const toVersion = ({ version, qualifiers }: PurlParts): string | undefined =>
  qualifiers.get('tag') ?? version;

export const name: TextRule = {
  pattern: /* @__PURE__ */ buildNamePattern(),
  maxLength: 255,
  explanation: 'a lower-case image name, such as "nginx" or "ghcr.io/owner/image", without a tag',
  canonical: (name) => dropDefaultHost(name.toLowerCase()),
};

export const version: TextRule = {
  pattern: tagOrDigest,
  maxLength: 255,
  explanation: 'a tag such as "1.27-alpine", or "sha256:" and 64 hexadecimal digits',
  canonical: keepAsWritten,
};

export const purls: PurlRules = {
  docker: { toName: nameDocker, toVersion },
  oci: { toName: nameOci, toVersion },
};

export const toPurlName = (canonicalName: string): PurlName => {
  const host = hostOf(canonicalName);
  return {
    type: 'docker',
    ...splitName('/', canonicalName.slice(host.length)),
    ...(host !== '' && { repository: host.slice(0, -1) }),
  };
};

export const versionOrder = null;
export const osvName = null;
export const hasEqualSeparators = false;
export const hasHashedLockfiles = false;
export const hasUnnamedFileHosts = false;
export const dropNameAffix = undefined;
export const shortenName = undefined;
