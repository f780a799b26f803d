import { ecosystems } from '../../domain/ecosystem.ts';
import { type PackageId, toVersionKey } from '../../domain/package-id.ts';

/** Docker's default prefix is dropped from names once: what is left of one that had it twice would lose it again. */
const restoreName = (ecosystem: string, name: string): string =>
  ecosystem === 'docker' ? `docker.io/library/${name}` : name;

/** A version with this key, in one of its spellings; undefined where no version has it. */
export const parseVersionKey = (key: string): PackageId | undefined => {
  const [first, name = '', version = ''] = key.split('#');
  const ecosystem = ecosystems.find((one) => one === first);
  if (!ecosystem) return undefined;
  const id = { ecosystem, name: restoreName(ecosystem, name), version };
  return toVersionKey(id) === key ? id : undefined;
};
