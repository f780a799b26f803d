/** The code of an issue in words. A failed scan has worked, and found vulnerabilities. */
export const describeIssueCode = (code: string): string =>
  code === 'scan_failed' ? 'vulnerabilities' : code.replaceAll('_', ' ');
