import { isCovered, joinStatements } from './join-statements.ts';
import { readWholeName } from './normalize-name.ts';

/**
 * A license by the name that a manifest gives it, and by its address where that says which one is meant, or another one;
 * by the address alone where there is no name.
 */
export const nameLicense = (
  name: string | undefined,
  address: string | undefined,
): string | undefined => {
  if (!name || !address) return name || address;
  if (!readWholeName(address) || isCovered(address, name)) return name;
  return isCovered(name, address) ? `${name} (${address})` : joinStatements(name, address);
};
