import { isCovered } from '../../shared/domain/licenses/reading/join-statements.ts';
import { readWholeName } from '../../shared/domain/licenses/reading/read-name.ts';

/**
 * A license by the name that a manifest gives it, with its address where that says another license or which one is
 * meant; by the address alone where there is no name.
 */
export const nameLicense = (
  name: string | undefined,
  address: string | undefined,
): string | undefined => {
  if (!name || !address) return name || address;
  const isNew = readWholeName(address) !== undefined && !isCovered(address, name);
  return isNew ? `${name} (${address})` : name;
};
