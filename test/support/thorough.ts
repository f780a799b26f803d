/**
 * What takes long without telling more of most changes than the other tests do: it runs by `npm run test:thorough`, and before
 * a change lands. The longest first.
 */
export const thorough: readonly string[] = [
  // The pages pasted, the package installed, the recipe followed: as people do, in processes of their own.
  'test/docs/pages.test.ts',
  'test/infra/local/main.test.ts',
  'test/cli/package.test.ts',
  'test/contributing.test.ts',
  'test/contract/start.test.ts',
  'test/infra/tokens.test.ts',
  'test/infra/smoke.test.ts',
  'test/cli/mcp.test.ts',
  'test/gate/npm.test.ts',
  'test/infra/add-registry.test.ts',
  'test/docs/operate.test.ts',
  // A browser.
  'test/console/looks.test.ts',
  'test/console/deciding.test.ts',
  'test/web/docs.test.ts',
  'test/console/session.test.ts',
  'test/console/check.test.ts',
  'test/console/overview.test.ts',
  'test/console/speed.test.ts',
  // Long histories, and what grows large.
  'test/contract/token-traffic.test.ts',
  'test/store/catalogue/catalogue.property.test.ts',
  'test/capacity/capacity.test.ts',
  'test/capacity/gaps.test.ts',
  'test/store/vulnerabilities/left-listing.test.ts',
  'test/store/audit/audit.test.ts',
  'test/store/vulnerabilities/listing.test.ts',
  'test/scanning/rescan.test.ts',
  'test/scan-reports/read-report.property.test.ts',
  'test/store/audit/records.test.ts',
  'test/auth/token-loader.simulation.test.ts',
  'test/store/audit/vulnerabilities.test.ts',
  'test/capacity/vulnerabilities.test.ts',
  'test/store/review/acceptances.property.test.ts',
  'test/capacity/one-package.test.ts',
  'test/capacity/bulk-load.test.ts',
  'test/store/audit/reviews.test.ts',
  'test/store/audit/poms.test.ts',
  'test/store/review/linearizability.test.ts',
  'test/cli/long-report.test.ts',
  'test/dependencies/large-files.test.ts',
  // Every variation of the stack.
  'test/infra/registry-stack.test.ts',
  'test/infra/operations.test.ts',
  'test/infra/review-policy.test.ts',
  'test/infra/stack-changes.test.ts',
  'test/openapi/lint.test.ts',
];
