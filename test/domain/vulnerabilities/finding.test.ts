import { describe, expect, it } from 'vitest';
import { type ReportedFinding, toFinding } from '../../../shared/domain/vulnerabilities/finding.ts';
import { limits } from '../../../shared/domain/vulnerabilities/scan-limits.ts';

const reported = (parts: Partial<ReportedFinding>) => toFinding({ id: 'CVE-2021-1', ...parts });

describe('toFinding', () => {
  it('keeps text on one line, clipped, without characters that do not show', () => {
    const { summary } = reported({ summary: ` a\u0000b\n\u009bc${'x'.repeat(5000)}` });

    expect(summary).toMatch(/^a b c(x+)$/);
    expect(summary.length).toBeLessThanOrEqual(limits.summaryLength);
  });

  it('cuts no character in two', () => {
    const { summary } = reported({ summary: `${'x'.repeat(limits.summaryLength - 1)}😀` });

    expect(summary.isWellFormed()).toBe(true);
  });

  it('keeps links only, the first twenty', () => {
    const links = Array.from({ length: 30 }, (_, at) => `https://example.org/${at}`);
    const others = [
      'javascript:alert(1)',
      'data:text/html,x',
      'ftp://example.org/',
      'https://example.org/"onclick',
      'https://example.org/\u0007',
      'http://',
      'https://user:secret@example.org/',
      'see the changelog',
      `https://example.org/${'x'.repeat(3000)}`,
    ];

    const { references } = reported({ references: [...others, ...links] });

    expect(references).toEqual(links.slice(0, 20));
  });

  it('repeats nothing', () => {
    const finding = reported({
      aliases: ['CVE-2021-1', 'GHSA-1', 'GHSA-1', ' '],
      fixedVersions: ['1.0', ' 1.0', ''],
      ranges: ['<1.0', '<1.0 '],
      sources: ['nvd', 'nvd', 'ghsa'],
    });

    expect(finding).toMatchObject({
      aliases: ['GHSA-1'],
      fixed_versions: ['1.0'],
      affected_range: '<1.0',
      source: 'nvd, ghsa',
    });
  });
});
