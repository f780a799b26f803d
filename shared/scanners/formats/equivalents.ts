const isCve = (id: string): boolean => /^CVE-/i.test(id);

/**
 * Of the ids that a report gives beside one vulnerability's own, those that mean the same. An advisory such as DSA-4539-1
 * covers several vulnerabilities: it must not make them one. Nor must an id beside which there are several CVE ids.
 */
export const listEquivalents = (id: string, others: readonly string[]): string[] => {
  const known = others.filter((other) => /^(?:CVE|GHSA)-/i.test(other));
  const cves = new Set([id, ...known].filter(isCve).map((cve) => cve.toUpperCase()));
  return cves.size > 1 ? known.filter((other) => !isCve(other)) : known;
};
