import { canonicalizeName } from '../../../domain/packages/package-name.ts';

/** Registry and repository of an image, such as `docker.io` and `library/nginx`. */
export interface ImageAddress {
  readonly host: string;
  readonly repository: string;
}

/** Host of Docker Hub in image names. */
export const hubHost = 'docker.io';

/** Host names that older names of Docker Hub's images have. */
const hubHosts: readonly string[] = [hubHost, `index.${hubHost}`, `registry-1.${hubHost}`];

/** Returns the registry and the repository of an image, by its name in any spelling. */
export const toImageAddress = (name: string): ImageAddress => {
  const [first = '', ...rest] = canonicalizeName('docker', name).split('/');
  const isHost = rest.length > 0 && (/[.:]/.test(first) || first === 'localhost');
  const host = isHost && !hubHosts.includes(first) ? first : hubHost;
  const path = isHost ? rest : [first, ...rest];
  const isOfficial = host === hubHost && path.length === 1;
  return { host, repository: [...(isOfficial ? ['library'] : []), ...path].join('/') };
};
