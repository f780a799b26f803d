const isCve = (id: string): boolean => /^CVE-/i.test(id);

/**
 * Returns the other ids in a report that mean the same vulnerability. An advisory such as DSA-4539-1 covers several
 * vulnerabilities and must not merge them. CVE ids are dropped if there are several.
 */
export const listEquivalents = (id: string, others: readonly string[]): string[] => {
  const known = others.filter((other) => /^(?:CVE|GHSA)-/i.test(other));
  const cves = new Set([id, ...known].filter(isCve).map((cve) => cve.toUpperCase()));
  return cves.size > 1 ? known.filter((other) => !isCve(other)) : known;
};
