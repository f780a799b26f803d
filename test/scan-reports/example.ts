import { readFileSync } from 'node:fs';

/** A report as a scanner wrote it; `reports/README.md` says where each comes from. */
export const exampleReport = (name: string): unknown =>
  JSON.parse(readFileSync(new URL(`reports/${name}.json`, import.meta.url), 'utf8'));

export const exampleReports = [
  'trivy-image',
  'grype',
  'osv-scanner',
  'osv-scanner-clean',
  'npm-audit',
  'npm-audit-clean',
  'npm-audit-6',
  'pip-audit',
  'own',
  'pnpm-audit-7',
  'pnpm-audit-10',
  'cyclonedx-jake',
  'cyclonedx-grype',
  'cyclonedx-trivy-1.5',
  'cyclonedx-trivy-1.6',
  'cyclonedx-trivy-1.7',
  'sarif-trivy-0.23',
  'sarif-trivy-0.33',
  'sarif-trivy-0.65',
  'sarif-grype',
  'sarif-osv-scanner',
  'sarif-semgrep',
  'snyk-2017',
  'snyk-2020-projects',
  'snyk-2023-container',
  'snyk-2025',
  'snyk-unmanaged',
] as const;
