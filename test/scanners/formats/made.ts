/** Results of a tool in SARIF, each of one rule. */
export const sarif = (
  rules: readonly object[],
  results: readonly object[] = [],
  run: object = {},
): { version: string; runs: object[] } => ({
  version: '2.1.0',
  runs: [{ tool: { driver: { name: 'X', rules } }, results, ...run }],
});

/** A rule that is about security. */
export const rated = { id: 'CVE-1', properties: { 'security-severity': '9.8' } };

/** What Snyk writes of one project. */
export const snyk = (project: object) => ({
  ok: true,
  vulnerabilities: [],
  dependencyCount: 1,
  ...project,
});
