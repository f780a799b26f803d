import { hubHost } from './image-address.ts';

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

/** Host of the API of Docker Hub. Its accounts have the host of the image names. */
const hubApiHost = `index.${hubHost}`;

/** Returns the host whose account a registry gets: that of its address, or `docker.io` for Docker Hub. */
export const findAccountHost = ({ url }: Pick<ImageRegistry, 'url'>): string => {
  const { host } = new URL(url);
  return host === hubApiHost ? hubHost : host;
};
