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
] as const;
