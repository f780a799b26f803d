import { canonicalizeName, isHubImage, isPackageName } from '../packages/package-name.ts';
import { isPackageVersion } from '../packages/package-version.ts';

/** What a reference to an image names, such as `registry.example.com/mirror/nginx:1.27`. */
export interface ImageName {
  /** Undefined of Docker Hub. */
  readonly host: string | undefined;
  /** Without `library/`. */
  readonly path: string;
  /** Undefined where there is a digest at most: which image that is, its name does not say. */
  readonly tag: string | undefined;
}

/** A repository, its registry's host apart: a first component with a dot or port, or `localhost`. */
export const splitRepository = (repository: string): Omit<ImageName, 'tag'> => {
  const name = canonicalizeName('docker', repository);
  const [, host, path = name] = /^((?=[^/]*[.:])[^/]+|localhost)\/(.+)$/.exec(name) ?? [];
  return { host: isHubImage(name) ? undefined : host, path: path.replace(/^library\//, '') };
};

const archive = /\.(?:tar(?:\.\w+)?|tgz|sif|zip)$/i;

/** Whether a scanner was given a file or directory to take the image from, which are called as anybody likes. */
export const isPath = (text: string): boolean => /^[./~]|\\/.test(text) || archive.test(text);

/** Reads a reference with a tag or digest. Undefined of all else: a name alone may as well be one of a directory. */
export const readImageName = (text: string): ImageName | undefined => {
  const [, repository = '', tag, digest] =
    /^([^@]+?)(?::([^/:@]+))?(@sha256:[0-9a-f]{64})?$/.exec(text) ?? [];
  if (tag === undefined && digest === undefined) return undefined;
  if (tag !== undefined && !isPackageVersion('docker', tag)) return undefined;
  if (!isPackageName('docker', repository)) return undefined;
  return { ...splitRepository(repository), tag };
};

type Repository = Omit<ImageName, 'tag'>;

/** A mirror keeps the repositories of others below a path of its own. */
const isMirrorOf = (mirror: Repository, { path }: Repository): boolean =>
  mirror.host !== undefined && mirror.path.endsWith(`/${path}`);

/** Whether they may be one repository, whichever registries they were taken from. */
export const isSameRepository = (one: Repository, other: Repository): boolean =>
  one.path === other.path || isMirrorOf(one, other) || isMirrorOf(other, one);
