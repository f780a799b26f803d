import { limits } from './scan-limits.ts';
import type { Vulnerability } from './vulnerability.ts';

/** How many ids and aliases vulnerabilities have together, with at most so many aliases each. */
export const countIds = (
  vulnerabilities: readonly Vulnerability[],
  aliasesEach: number = limits.aliases,
): number =>
  vulnerabilities.reduce(
    (count, { aliases }) => count + 1 + Math.min(aliases.length, aliasesEach),
    0,
  );

/** All vulnerabilities by their ids, and of each as many aliases as the limit of a scan result leaves for all of them. */
export const dropSurplusAliases = (vulnerabilities: readonly Vulnerability[]): Vulnerability[] => {
  let each: number = limits.aliases;
  while (each > 0 && countIds(vulnerabilities, each) > limits.ids) each -= 1;
  if (each === limits.aliases) return [...vulnerabilities];
  return vulnerabilities.map((one) => ({ ...one, aliases: one.aliases.slice(0, each) }));
};
