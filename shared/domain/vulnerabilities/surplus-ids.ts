import { limits } from './scan-limits.ts';
import type { Vulnerability } from './vulnerability.ts';

/** Returns the number of ids and aliases of vulnerabilities, with at most `aliasesEach` aliases counted for each. */
export const countIds = (
  vulnerabilities: readonly Vulnerability[],
  aliasesEach: number = limits.aliases,
): number =>
  vulnerabilities.reduce(
    (count, { aliases }) => count + 1 + Math.min(aliases.length, aliasesEach),
    0,
  );

/** Returns all vulnerabilities with as many aliases each as the limit of ids for a scan result permits. */
export const dropSurplusAliases = (vulnerabilities: readonly Vulnerability[]): Vulnerability[] => {
  let each: number = limits.aliases;
  while (each > 0 && countIds(vulnerabilities, each) > limits.ids) each -= 1;
  if (each === limits.aliases) return [...vulnerabilities];
  return vulnerabilities.map((one) => ({ ...one, aliases: one.aliases.slice(0, each) }));
};
