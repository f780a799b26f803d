import type { UnpinnedReason } from '../../lockfiles/dependency-file.ts';
import { judgeSpec } from '../../lockfiles/spec-kind.ts';
import { cutAfter, cutBefore } from '../../lockfiles/syntax/text-before.ts';

/** Source of a package outside a registry: the reason, and the text in the lockfile that shows it. */
export interface Elsewhere {
  readonly reason: UnpinnedReason;
  readonly detail: string;
}

/** Returns the decoded path of a URL, or the text itself if it is no URL. */
const readPath = (address: string): string => {
  try {
    return decodeURIComponent(new URL(address).pathname);
  } catch {
    return address;
  }
};

/**
 * True if a URL names this version of this package in a registry's form, on any host. Forms:
 * `…/NAME/-/FILE-VERSION.tgz`, or `…/NAME/VERSION…` at some registries.
 */
const namesPackage = (address: string, name: string, version: string): boolean => {
  const path = readPath(address);
  const versions = [version, cutBefore(version, '+')];
  const cut = path.lastIndexOf('/-/');
  if (cut >= 0) {
    const files = versions.map((one) => `/${name.slice(name.indexOf('/') + 1)}-${one}.tgz`);
    return path.slice(0, cut).endsWith(`/${name}`) && files.some((file) => path.endsWith(file));
  }
  const folder = `${path.replace(/\.tgz$/, '')}/`;
  return versions.some((one) => folder.includes(`/${name}/${one}/`));
};

/** Returns the version in a registry URL of this package; undefined if the text is no such URL. */
export const readVersionAt = (address: string, name: string): string | undefined => {
  const base = `/${name}/-/${name.slice(name.indexOf('/') + 1)}-`;
  const version = cutAfter(readPath(address), base).replace(/\.tgz$/, '');
  return namesPackage(address, name, version) ? version : undefined;
};

const hasScheme = /^[a-z][a-z\d+.-]*:/i;

/** True if a file has the name that Yarn's offline mirror gives to this version of this package. */
const isKeptFile = (address: string, name: string, version: string): boolean => {
  const file = cutBefore(address, '#').split('/').at(-1);
  const bases = [name.slice(name.indexOf('/') + 1), name.replace('/', '-')];
  return bases.some((base) => file === `${base}-${version}.tgz`);
};

/** Data of a lockfile about the source of a package. */
interface Origin {
  readonly name: string;
  readonly version: string | undefined;
  /** Specifiers that request the package. */
  readonly specs?: readonly string[];
  readonly address: string | undefined;
}

/**
 * Returns the real source of a package; undefined if it is the registry package of its name. The address decides over
 * the specifiers, because package managers install from the address.
 */
export const judgeOrigin = ({
  name,
  version,
  specs = [],
  address,
}: Origin): Elsewhere | undefined => {
  const asked = specs.find((spec) => judgeSpec(spec) !== undefined);
  const reason = judgeSpec(asked ?? '');
  if (address === undefined) return reason && { reason, detail: asked ?? '' };
  const at = judgeSpec(address);
  if (at === undefined) {
    if (hasScheme.test(address)) return { reason: 'url', detail: address };
    return isKeptFile(address, name, version ?? '')
      ? undefined
      : { reason: 'file', detail: address };
  }
  if (at !== 'url') return { reason: at, detail: address };
  if (asked !== cutBefore(address, '#') && version && namesPackage(address, name, version))
    return undefined;
  return { reason: reason ?? at, detail: address };
};

/** Returns the hashes of an `integrity` value: separated by spaces, each without its options. */
export const splitIntegrity = (integrity: string | undefined): string[] =>
  (integrity ?? '').split(/\s+/).flatMap((one) => cutBefore(one, '?') || []);

/** Returns the hashes of a package and, if given, the address of its file. */
export const toContent = (integrity: string | undefined, address: string | undefined) => ({
  hashes: splitIntegrity(integrity),
  ...(address !== undefined && { addresses: [address] }),
});

/** Returns the target package and version of an alias such as `npm:real@1.0.0`; undefined for any other specifier. */
export const readAlias = (spec: string): { name: string; version: string } | undefined => {
  const [, name, version] = /^npm:((?:@[^/@]+\/)?[^/@]+)(?:@(.*))?$/.exec(spec) ?? [];
  return name === undefined ? undefined : { name, version: version ?? '' };
};

/** Returns the parts of `@scope/name@reference`. Without an `@` before the reference, the whole text is the name. */
export const splitLocator = (locator: string): { name: string; reference: string } => {
  const at = locator.indexOf('@', 1);
  return at < 0
    ? { name: locator, reference: '' }
    : { name: locator.slice(0, at), reference: locator.slice(at + 1) };
};
