import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { readLicensePolicy } from '../../infra/license-policy.ts';
import { SettingsError } from '../../infra/settings-error.ts';
import { licenseCategories } from '../../shared/domain/licenses/category.ts';

let directory: string;

beforeAll(() => {
  directory = mkdtempSync(join(tmpdir(), 'license-policy-'));
});
afterAll(() => rmSync(directory, { recursive: true }));

const fileWith = (content: unknown): string => {
  const file = join(directory, 'policy.json');
  writeFileSync(file, typeof content === 'string' ? content : JSON.stringify(content));
  return file;
};

const categories = Object.fromEntries(licenseCategories.map((name) => [name, 'approved']));

describe('the license policy', () => {
  it('decides every category by default', () => {
    const policy = readLicensePolicy('infra/license-policy.json');

    expect(Object.keys(policy.categories).sort()).toEqual([...licenseCategories].sort());
  });

  it('accepts identifiers in any case, and with exceptions', () => {
    const licenses = { mit: 'rejected', 'GPL-2.0-only WITH Classpath-exception-2.0': 'approved' };

    expect(readLicensePolicy(fileWith({ categories, licenses })).licenses).toEqual(licenses);
  });

  it.each([
    ['no JSON', '{', /^licensePolicy: cannot read .*policy\.json: /],
    [
      'a category without a status',
      { categories: { permissive: 'approved' } },
      /categories\.copyleft must be one of approved, conditional, rejected, unreviewed/,
    ],
    ['an unknown category', { categories: { ...categories, free: 'approved' } }, /free/],
    [
      'an unknown status',
      { categories, licenses: { MIT: 'fine' } },
      /licenses\.MIT must be one of approved/,
    ],
    [
      'an identifier that SPDX does not know',
      { categories, licenses: { GPLv3: 'approved' } },
      /licenses\.GPLv3 is not an SPDX identifier/,
    ],
    [
      'an expression',
      { categories, licenses: { 'MIT OR ISC': 'approved' } },
      /licenses\.MIT OR ISC is not an SPDX identifier/,
    ],
    [
      'a license twice',
      { categories, licenses: { 'GPL-2.0': 'approved', 'gpl-2.0-only': 'rejected' } },
      /licenses\.gpl-2\.0-only names a license twice/,
    ],
    [
      'a license twice, once in parentheses',
      { categories, licenses: { MIT: 'approved', '(MIT)': 'rejected' } },
      /licenses\.\(MIT\) names a license twice/,
    ],
    ['nothing', {}, /categories must be an object of a status for each category/],
    ['a list', [], /must be an object of categories and licenses/],
    ['an unknown field', { categories, packages: {} }, /packages/],
  ])('rejects %s', (_, content, message) => {
    const file = fileWith(content);

    expect(() => readLicensePolicy(file)).toThrow(SettingsError);
    expect(() => readLicensePolicy(file)).toThrow(message);
  });

  it('names a missing file', () => {
    expect(() => readLicensePolicy('nowhere.json')).toThrow(/nowhere\.json/);
  });
});
