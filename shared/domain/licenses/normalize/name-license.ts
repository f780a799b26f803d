import { isCovered, joinStatements } from './join-statements.ts';
import { readWholeName } from './normalize-name.ts';

/**
 * Returns a license from a manifest's license name and URL. The URL is included if it adds information or contradicts
 * the name. Without a name, the URL alone decides.
 */
export const nameLicense = (
  name: string | undefined,
  address: string | undefined,
): string | undefined => {
  if (!name || !address) return name || address;
  if (!readWholeName(address) || isCovered(address, name)) return name;
  return isCovered(name, address) ? `${name} (${address})` : joinStatements(name, address);
};
