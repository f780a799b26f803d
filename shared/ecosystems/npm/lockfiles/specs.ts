import type { UnpinnedReason } from '../../lockfiles/dependency-file.ts';
import { judgeSpec } from '../../lockfiles/spec-kind.ts';
import { cutAfter, cutBefore } from '../../lockfiles/syntax/text-before.ts';

/** Where a package comes from that does not come from a registry, and what says so. */
export interface Elsewhere {
  readonly reason: UnpinnedReason;
  readonly detail: string;
}

/** The path of an address without escapes, or the text itself if it is no address. */
const readPath = (address: string): string => {
  try {
    return decodeURIComponent(new URL(address).pathname);
  } catch {
    return address;
  }
};

/**
 * Whether an address names this version of this package, as registries build addresses: `…/NAME/-/FILE-VERSION.tgz`, or
 * `…/NAME/VERSION…` with those that build them otherwise. It does not matter at which host.
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

/** The version in an address that registries have for this package; undefined if it is none of these. */
export const readVersionAt = (address: string, name: string): string | undefined => {
  const base = `/${name}/-/${name.slice(name.indexOf('/') + 1)}-`;
  const version = cutAfter(readPath(address), base).replace(/\.tgz$/, '');
  return namesPackage(address, name, version) ? version : undefined;
};

const hasScheme = /^[a-z][a-z\d+.-]*:/i;

/** Whether a file is called as Yarn calls what it keeps of this version of this package. */
const isKeptFile = (address: string, name: string, version: string): boolean => {
  const file = cutBefore(address, '#').split('/').at(-1);
  const bases = [name.slice(name.indexOf('/') + 1), name.replace('/', '-')];
  return bases.some((base) => file === `${base}-${version}.tgz`);
};

/** What a lockfile says of where it got a package. */
interface Origin {
  readonly name: string;
  readonly version: string | undefined;
  /** What it is asked for by. */
  readonly specs?: readonly string[];
  readonly address: string | undefined;
}

/**
 * Where a package really comes from, if it is not from a registry as what it is called. The address decides: that is
 * what is installed, even where somebody asks for something else.
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

/** The hashes of an `integrity`, which may have several with blanks between, and options behind them. */
export const splitIntegrity = (integrity: string | undefined): string[] =>
  (integrity ?? '').split(/\s+/).flatMap((one) => cutBefore(one, '?') || []);

/** What a lockfile says of the content of a package: the hashes, and the address of the file. */
export const toContent = (integrity: string | undefined, address: string | undefined) => ({
  hashes: splitIntegrity(integrity),
  ...(address !== undefined && { addresses: [address] }),
});

/** The package that an alias such as `npm:real@1.0.0` stands for, and what version it asks for. */
export const readAlias = (spec: string): { name: string; version: string } | undefined => {
  const [, name, version] = /^npm:((?:@[^/@]+\/)?[^/@]+)(?:@(.*))?$/.exec(spec) ?? [];
  return name === undefined ? undefined : { name, version: version ?? '' };
};

/** `@scope/name@reference` in its parts; without a second `@` all of it is the name. */
export const splitLocator = (locator: string): { name: string; reference: string } => {
  const at = locator.indexOf('@', 1);
  return at < 0
    ? { name: locator, reference: '' }
    : { name: locator.slice(0, at), reference: locator.slice(at + 1) };
};
