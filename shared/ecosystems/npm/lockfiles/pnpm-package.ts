import { findAt, type SyntaxNode, textAt } from '../../lockfiles/syntax/syntax-node.ts';
import { cutBefore } from '../../lockfiles/syntax/text-before.ts';
import { type Elsewhere, judgeOrigin, toContent } from './specs.ts';

export interface PnpmPackage {
  readonly name: string;
  readonly version: string;
  /** How people call it. */
  readonly label: string;
  readonly entry: SyntaxNode;
}

/** The key of a package without the peers that it is installed with. */
export const dropPeers = (key: string): string => cutBefore(key, '(');

/** `/name/1.0.0_peer@2.0.0` up to version 5, `/name@1.0.0(peer@2.0.0)` from 6 on, since 9 without the stroke. */
const readKey = (key: string, lockVersion: string): { name?: string; version?: string } => {
  const [, name, version] =
    (lockVersion.startsWith('5')
      ? /^[^/]*\/((?:@[^/]+\/)?[^/@][^/]*)\/([^/_]+)/
      : /^(?:[^@]*\/)?((?:@[^/@]+\/)?[^/@]+)@(.+)$/
    ).exec(dropPeers(key)) ?? [];
  return { ...(name && { name }), ...(version && { version }) };
};

/** Whether nothing but its key says where it comes from. */
const isFromRegistry = (entry: SyntaxNode): boolean =>
  ['tarball', 'repo', 'directory', 'type'].every((part) => !findAt(entry, 'resolution', part));

/** Whether it is from a registry that has its files at addresses of its own. */
const isTarball = (key: string, entry: SyntaxNode): boolean =>
  key.startsWith('/') && findAt(entry, 'resolution', 'tarball') !== undefined;

/**
 * Of what comes from a registry the key says what it is, as pnpm goes by that, too. Others may have a name and a version
 * of their own; their keys are addresses, and have a name before them since version 9.
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

/** What pnpm installs that are no packages, such as `node@runtime:22.0.0`. */
const runtimes = ['binary', 'variations'];

/** What lies at the registry, pnpm names without the address of that. */
const findTarball = (resolution: SyntaxNode | undefined): string | undefined => {
  const tarball = textAt(resolution, 'tarball');
  if (tarball === undefined || /^[a-z][a-z\d+.-]*:/i.test(tarball)) return tarball;
  return `https://registry.invalid/${tarball.replace(/^\//, '')}`;
};

/** The hashes of a package, and its address where it is not the one that its registry would have. */
export const readContent = (entry: SyntaxNode) =>
  toContent(textAt(entry, 'resolution', 'integrity'), textAt(entry, 'resolution', 'tarball'));

/** Where a package comes from, if it is not from a registry as what it is called. */
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
