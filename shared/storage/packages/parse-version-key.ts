import { type PackageId, toVersionKey } from '../../domain/packages/package-id.ts';
import { ecosystems } from '../../ecosystems/ecosystem.ts';

/** Returns a version with this key, in one of its spellings; undefined if no version has this key. */
export const parseVersionKey = (key: string): PackageId | undefined => {
  const [first, name = '', version = ''] = key.split('#');
  const ecosystem = ecosystems.find((one) => one === first);
  if (!ecosystem) return undefined;
  const id = { ecosystem, name, version };
  return toVersionKey(id) === key ? id : undefined;
};
