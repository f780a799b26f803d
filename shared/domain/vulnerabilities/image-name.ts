import { canonicalizeName, isPackageName } from '../packages/package-name.ts';
import { isPackageVersion } from '../packages/package-version.ts';

/** Parsed image reference, such as `registry.example.com/mirror/nginx:1.27`. */
export interface ImageName {
  /** Undefined for Docker Hub. */
  readonly host: string | undefined;
  /** Without `library/`. */
  readonly path: string;
  /** Undefined without a tag. A digest alone does not identify the version. */
  readonly tag: string | undefined;
}

/**
 * Splits a repository name into the registry's host and the path. The host is a first component with a dot or port, or
 * `localhost`.
 */
export const splitRepository = (repository: string): Omit<ImageName, 'tag'> => {
  const name = canonicalizeName('docker', repository);
  const [, host, path = name] = /^((?=[^/]*[.:])[^/]+|localhost)\/(.+)$/.exec(name) ?? [];
  return { host: host === 'docker.io' ? undefined : host, path: path.replace(/^library\//, '') };
};

const archive = /\.(?:tar(?:\.\w+)?|tgz|sif|zip)$/i;

/** True for a file or directory name that a scanner was given instead of an image reference. */
export const isPath = (text: string): boolean => /^[./~]|\\/.test(text) || archive.test(text);

/**
 * Parses an image reference with a tag or digest. Returns undefined for all else: a bare name may also be a directory.
 */
export const readImageName = (text: string): ImageName | undefined => {
  const [, repository = '', tag, digest] =
    /^([^@]+?)(?::([^/:@]+))?(@sha256:[0-9a-f]{64})?$/.exec(text) ?? [];
  if (tag === undefined && digest === undefined) return undefined;
  if (tag !== undefined && !isPackageVersion('docker', tag)) return undefined;
  if (!isPackageName('docker', repository)) return undefined;
  return { ...splitRepository(repository), tag };
};

type Repository = Omit<ImageName, 'tag'>;

/** True if one repository may mirror the other below a path of its own. */
const isMirrorOf = (mirror: Repository, { path }: Repository): boolean =>
  mirror.host !== undefined && mirror.path.endsWith(`/${path}`);

/** True if both names may mean the same repository, in any registry. */
export const isSameRepository = (one: Repository, other: Repository): boolean =>
  one.path === other.path || isMirrorOf(one, other) || isMirrorOf(other, one);
