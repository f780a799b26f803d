/** Registry of images from which upstream metadata is fetched. */
export interface ImageRegistry {
  /** Host as in image names, with a port if there is one; `docker.io` for Docker Hub. */
  readonly host: string;
  /**
   * Base address of its API (without `/v2/`), which may be a mirror. It has no slash at its end. After `/v2/`, it may have
   * a path with which the mirror's repositories begin.
   */
  readonly url: string;
}

/** Returns the path of repositories below a registry's address, which may have it already. */
export const findApiPath = ({ url }: ImageRegistry): string =>
  new URL(url).pathname.includes('/v2/') ? '' : 'v2/';

/** Account of the registry at an image registry. */
export interface RegistryCredentials {
  readonly username: string;
  readonly password: string;
}

/** Returns the credentials of an image registry by its host; undefined for anonymous requests. */
export type FindCredentials = (host: string) => Promise<RegistryCredentials | undefined>;
