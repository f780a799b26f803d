import { findAt, type SyntaxNode, textAt } from '../../lockfiles/syntax/syntax-node.ts';
import { cutBefore } from '../../lockfiles/syntax/text-before.ts';
import { type Elsewhere, judgeOrigin, toContent } from './specs.ts';

export interface PnpmPackage {
  readonly name: string;
  readonly version: string;
  /** Name and version for display. */
  readonly label: string;
  readonly entry: SyntaxNode;
}

/** Returns the key of a package without the peers in parentheses. */
export const dropPeers = (key: string): string => cutBefore(key, '(');

/**
 * Returns the name and version in a package key. Keys are `/name/1.0.0_peer@2.0.0` up to version 5, and
 * `/name@1.0.0(peer@2.0.0)` from version 6. Version 9 drops the leading slash.
 */
const readKey = (key: string, lockVersion: string): { name?: string; version?: string } => {
  const [, name, version] =
    (lockVersion.startsWith('5')
      ? /^[^/]*\/((?:@[^/]+\/)?[^/@][^/]*)\/([^/_]+)/
      : /^(?:[^@]*\/)?((?:@[^/@]+\/)?[^/@]+)@(.+)$/
    ).exec(dropPeers(key)) ?? [];
  return { ...(name && { name }), ...(version && { version }) };
};

/** True if the entry names no source of its own, so that the package comes from the registry. */
const isFromRegistry = (entry: SyntaxNode): boolean =>
  ['tarball', 'repo', 'directory', 'type'].every((part) => !findAt(entry, 'resolution', part));

/** True if the package comes from a registry with non-standard tarball URLs. */
const isTarball = (key: string, entry: SyntaxNode): boolean =>
  key.startsWith('/') && findAt(entry, 'resolution', 'tarball') !== undefined;

/**
 * Returns the name and version of a package. For registry packages the key wins, as in pnpm. Other packages may have
 * fields for name and version: their keys are URLs, with the name in front since version 9.
 */
export const identify = (key: string, entry: SyntaxNode, lockVersion: string): PnpmPackage => {
  const fromRegistry = isFromRegistry(entry);
  const hasName = fromRegistry || lockVersion.startsWith('9') || isTarball(key, entry);
  const keyed = hasName ? readKey(key, lockVersion) : {};
  const named = { name: textAt(entry, 'name'), version: textAt(entry, 'version') };
  const [first, second] = fromRegistry ? [keyed, named] : [named, keyed];
  const name = first.name ?? second.name ?? dropPeers(key);
  const version = first.version ?? second.version ?? '';
  return { name, version, label: version ? `${name}@${version}` : name, entry };
};

/** Resolution types of runtimes, which are no packages, such as `node@runtime:22.0.0`. */
const runtimes = ['binary', 'variations'];

/** Returns the tarball URL. pnpm writes a relative path for files at the registry, which gets a placeholder host. */
const findTarball = (resolution: SyntaxNode | undefined): string | undefined => {
  const tarball = textAt(resolution, 'tarball');
  if (tarball === undefined || /^[a-z][a-z\d+.-]*:/i.test(tarball)) return tarball;
  return `https://registry.invalid/${tarball.replace(/^\//, '')}`;
};

/** Returns the hashes of a package, and its tarball address if the lockfile has one. */
export const readContent = (entry: SyntaxNode) =>
  toContent(textAt(entry, 'resolution', 'integrity'), textAt(entry, 'resolution', 'tarball'));

/** Returns the source of a package outside a registry; undefined if it is the registry package of its name. */
export const judgeResolution = ({ name, version, entry }: PnpmPackage): Elsewhere | undefined => {
  const resolution = findAt(entry, 'resolution');
  const [type, repository, folder] = ['type', 'repo', 'directory'].map((part) =>
    textAt(resolution, part),
  );
  if (repository) {
    return { reason: 'git', detail: `${repository}#${textAt(resolution, 'commit') ?? ''}` };
  }
  if (folder !== undefined || type === 'directory') return { reason: 'file', detail: folder ?? '' };
  if (type && runtimes.includes(type)) return { reason: 'other_ecosystem', detail: 'a runtime' };
  const address = findTarball(resolution);
  return judgeOrigin({ name, version, specs: [version], address });
};
