import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import deliveredPolicy from '../../../infra/license-policy.json' with { type: 'json' };
import { LicensePolicy } from '../../../shared/api/schemas/license-policy.ts';
import { knownLicenses } from '../../../shared/domain/licenses/catalogue.ts';
import { licenseCategories } from '../../../shared/domain/licenses/category.ts';
import { findDefaultStatus } from '../../../shared/domain/licenses/default-status.ts';
import { evaluateNormalization } from '../../../shared/domain/licenses/evaluate-normalization.ts';
import type { HeldLicense, HeldLicenses } from '../../../shared/domain/licenses/held-license.ts';
import { makeExpressionRecord } from '../../../shared/domain/licenses/license-record.ts';
import {
  type LicenseStatus,
  licenseStatuses,
} from '../../../shared/domain/licenses/license-status.ts';
import { toLicenseKey } from '../../../shared/domain/licenses/license-terms.ts';
import { parseNormalization } from '../../../shared/domain/licenses/normalization.ts';
import { normalizeLicense } from '../../../shared/domain/licenses/normalize/normalize-license.ts';
import { parseLicense, parseTerm } from '../../../shared/domain/licenses/parse-license.ts';
import { mavenNames, pypiClassifiers } from './normalize/metadata-names.ts';

const policy = LicensePolicy.parse(deliveredPolicy);

const makeHeld = (name: string, category: HeldLicense['category'], status: LicenseStatus) => ({
  ...{ name, category, status },
  ...{ note: null, reviewed_by: null, reviewed_at: null },
});

const toEntry = (item: HeldLicense): [string, HeldLicense] => [
  toLicenseKey(parseTerm(item.name) ?? { license: item.name }),
  item,
];

/** The licenses as a deployment loads them: each known one has an item with the status by the policy. */
const loaded = new Map(
  knownLicenses.map(({ name, category }) =>
    toEntry(
      makeHeld(
        name,
        category,
        findDefaultStatus({ license: name }, category, { byKey: new Map(), policy }),
      ),
    ),
  ),
);

/** Evaluates a license text by its stored normalization alone. */
const evaluateStored = (text: string, held: HeldLicenses) => {
  const normalization = parseNormalization(text, normalizeLicense(text));
  return normalization && evaluateNormalization(normalization, held);
};

/** Evaluates a license text by SPDX's lists and the registry's names. */
const evaluateByRules = (text: string, held: HeldLicenses) => {
  const expression = parseLicense(text);
  const record = expression && makeExpressionRecord(expression, held);
  return record && { normalized: record.normalized, status: record.status };
};

const ownNames = ['Acme EULA', 'BSD', 'GNU GPL v3', 'Acme-2.0+', 'MIT License', 'LicenseRef-Acme'];
const names = [
  ...['MIT', 'mit', 'ISC', 'Apache-2.0', 'Apache-2.0+', 'GPL-2.0', 'GPL-2.0+', 'LGPL-3.0-or-later'],
  ...['GPL-3.0-only WITH GCC-exception-3.1', 'GPL-2.0 WITH Classpath-exception-2.0'],
  ...['GPL-2.0-only WITH LLVM-exception', 'MIT WITH Acme-exception', 'NOASSERTION', 'AGPL-ish'],
  ...['SEE LICENSE IN LICENSE.md', 'GPL-2.0-with-font-exception', 'licenseref-proprietary'],
  ...[
    'Apache License, Version 2.0',
    'GPL 2 or 3',
    'CC BY',
    'UNLICENSED',
    'Лицензия',
    'MIT OR',
    '(',
    '',
  ],
  ...ownNames,
];

const texts = fc.oneof(
  fc.constantFrom(
    ...names,
    ...mavenNames.map(([name]) => name),
    ...pypiClassifiers.map(([name]) => name),
  ),
  fc
    .array(fc.constantFrom(...names, '(', ')', 'AND', 'OR', '/', 'or later'), { maxLength: 9 })
    .map((words) => words.join(' ')),
  fc
    .array(fc.constantFrom(...names), { minLength: 2, maxLength: 4 })
    .map((some) => some.join(' OR ')),
  fc
    .array(fc.constantFrom(...names), { minLength: 2, maxLength: 4 })
    .map((some) => some.map((name) => `(${name})`).join(' AND ')),
);

const decidedNames = fc.constantFrom(
  ...names.filter((name) => parseTerm(name)),
  'LGPL-3.0-or-later',
);

const decisions = fc.array(
  fc.record({
    name: decidedNames,
    status: fc.constantFrom(...licenseStatuses),
    category: fc.constantFrom(...licenseCategories),
    isReviewed: fc.boolean(),
  }),
  { maxLength: 6 },
);

/** Returns the stored licenses after decisions. Only unknown licenses are the organisation's own. */
const decide = (
  decided: readonly {
    name: string;
    status: LicenseStatus;
    category: HeldLicense['category'];
    isReviewed: boolean;
  }[],
): HeldLicenses => {
  const items = decided.map(({ name, status, category, isReviewed }): [string, HeldLicense] => {
    const term = parseTerm(name) ?? { license: name };
    const key = toLicenseKey(term);
    const known = loaded.get(key) ?? loaded.get(toLicenseKey({ license: term.license }));
    const review = isReviewed ? { reviewed_at: '2026-01-01T00:00:00.000Z' } : {};
    if (known) {
      const record = makeExpressionRecord(term, { byKey: loaded, policy });
      return [
        key,
        { ...makeHeld(record?.name ?? name, record?.category ?? category, status), ...review },
      ];
    }
    const none = { title: null, url: null, requires_attribution: null, allows_commercial: null };
    const own = { ...none, compatible_with: [], incompatible_with: [] };
    return [key, { ...makeHeld(name, category, status), ...review, own }];
  });
  return { policy, byKey: new Map([...loaded, ...items]) };
};

describe('a stored normalization', () => {
  it('has the same result as the license text by the rules, after any decisions', () => {
    fc.assert(
      fc.property(texts, decisions, (text, decided) => {
        const held = decide(decided);

        expect(evaluateStored(text, held)).toEqual(evaluateByRules(text, held));
      }),
      { numRuns: 500 },
    );
  });
});
