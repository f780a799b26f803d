import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import policy from '../../../../infra/license-policy.json' with { type: 'json' };
import { LicensePolicy } from '../../../../shared/api/schemas/license-policy.ts';
import { findKnownLicense } from '../../../../shared/domain/licenses/catalogue.ts';
import { evaluateExpression } from '../../../../shared/domain/licenses/evaluate.ts';
import { explainNormalization } from '../../../../shared/domain/licenses/explain-normalization.ts';
import type { LicenseExpression } from '../../../../shared/domain/licenses/expression.ts';
import { findException } from '../../../../shared/domain/licenses/license-id.ts';
import { makeExpressionRecord } from '../../../../shared/domain/licenses/license-record.ts';
import { splitWords } from '../../../../shared/domain/licenses/normalize/license-words.ts';
import {
  bareNames,
  exceptions,
  families,
  fillers,
  fullNames,
} from '../../../../shared/domain/licenses/normalize/names.ts';
import {
  readExpression,
  readLicense,
} from '../../../../shared/domain/licenses/normalize/normalize-expression.ts';
import { normalizeLicense } from '../../../../shared/domain/licenses/normalize/normalize-license.ts';
import { maxLicenseTerms, parseLicense } from '../../../../shared/domain/licenses/parse-license.ts';
import { mavenNames, pypiClassifiers, unreadClassifiers } from './metadata-names.ts';

const held = { byKey: new Map(), policy: LicensePolicy.parse(policy) };

/** What the policy as it is delivered says of a license. */
const judge = (license: string): string => {
  const expression = parseLicense(license);
  const record = expression && makeExpressionRecord(expression, held);
  return record?.status ?? 'unreviewed';
};

describe('a license in words', () => {
  it.each([...mavenNames, ...pypiClassifiers])('is read: %s as %s', (name, reading) => {
    expect(readLicense(name)).toBe(reading);
  });

  it.each(unreadClassifiers)('is not read where nobody knows what it means: %s', (name) => {
    expect(readLicense(name)).toBeNull();
  });

  it.each([
    // npm
    ['Apache 2', 'Apache-2.0'],
    ['MIT/X11', 'X11'],
    ['MIT/ISC', 'MIT AND ISC'],
    ['MIT, ISC', 'MIT AND ISC'],
    ['(MIT AND BSD-3)', 'MIT AND BSD-3-Clause'],
    ['MIT & Apache 2.0', 'MIT AND Apache-2.0'],
    ['MIT and/or GPL v2', 'MIT AND GPL-2.0-only'],
    ['The MIT License or Apache 2.0', 'MIT OR Apache-2.0'],
    ['MIT or Apache 2, ISC', 'MIT AND Apache-2.0 AND ISC'],
    ['GPLv2 or v3', 'GPL-2.0-only OR GPL-3.0-only'],
    ['(MIT or AGPL v3) and GNU AGPL', 'MIT AND AGPL-3.0-only'],
    ['Apache License 2.0 or MIT License (MIT)', 'Apache-2.0 OR MIT'],
    ['LGPL v2.1 or, at your option, any later version', 'LGPL-2.1-or-later'],
    ['EPL (Eclipse Public License 1.0) or LGPL', 'EPL-1.0 OR LGPL-2.0-or-later'],
    ['GPL', 'GPL-1.0-or-later'],
    ['Apache 2.0 or later', 'Apache-2.0+'],
    ['http://www.apache.org/licenses/LICENSE-2.0.txt', 'Apache-2.0'],
    ['https://opensource.org/licenses/MIT', 'MIT'],
    ['https://creativecommons.org/licenses/by-nc/4.0/', 'CC-BY-NC-4.0'],
    ['https://www.gnu.org/licenses/agpl-3.0.html', 'AGPL-3.0-only'],
    ['ａｐａｃｈｅ ２.０', 'Apache-2.0'],
    ['licenseref-foo OR MIT', 'LicenseRef-foo OR MIT'],
    ['Net-SNMP', 'Net-SNMP'],
    // Without blanks, and with versions right behind.
    ['CC-BY-NC4.0', 'CC-BY-NC-4.0'],
    ['CC BY NC4', 'CC-BY-NC-4.0'],
    ['ELv2.0', 'Elastic-2.0'],
    ['Elastic2.0', 'Elastic-2.0'],
    ['ElasticV2', 'Elastic-2.0'],
    ['GNUAGPLv3', 'AGPL-3.0-only'],
    ['AfferoGPLv3', 'AGPL-3.0-only'],
    ['gnuagpl', 'AGPL-1.0-or-later'],
    ['ServerSidePublicLicense', 'SSPL-1.0'],
    ['BusinessSource', 'BUSL-1.1'],
    // A vendor's name, which means its license where it is all there is.
    ['Elastic', 'LicenseRef-Elastic-1.0 AND Elastic-2.0'],
    ['under the Elastic', 'LicenseRef-Elastic-1.0 AND Elastic-2.0'],
    ['Elastic 1.0', 'LicenseRef-Elastic-1.0'],
    ['Elastic 3.0', 'LicenseRef-Elastic-1.0 AND Elastic-2.0 AND NOASSERTION'],
    ['MIT, Elastic', 'MIT AND LicenseRef-Elastic-1.0 AND Elastic-2.0'],
    ['Elastic and Acme EULA', 'LicenseRef-Elastic-1.0 AND Elastic-2.0 AND NOASSERTION'],
    // An article, and what is none.
    ['A-GPL v3', 'AGPL-3.0-only'],
    ['A/GPLv3', 'AGPL-3.0-only'],
    ['A GPL', 'AGPL-1.0-or-later'],
    ['under a GPL license', 'GPL-1.0-or-later'],
    ['mit', 'MIT'],
    ['GPL-2.0-with-classpath-exception', 'GPL-2.0-only WITH Classpath-exception-2.0'],
  ])('%j reads as %s', (text, reading) => {
    expect(readLicense(text)).toBe(reading);
  });

  it.each([
    'Acme EULA',
    'Not MIT',
    'Acme JSON Library',
    'Elastic Beanstalk Terms',
    'Acme Elasticsearch plug-in terms',
    'Acme Limited Apache-derived License',
    'MIT-style',
    'Apache 3.0',
    'Intel License',
    'Adobe',
    'Terms and Conditions',
    'SEE LICENSE IN LICENSE.md',
    'NOASSERTION',
    'NONE',
    'UNKNOWN',
    'OSI Approved',
    'Or',
    'LicenseRef-',
    'LicenseRef-foo',
    'version 2.0',
    'MIT OR',
    '(MIT',
  ])('%j is not read', (text) => {
    expect(readLicense(text)).toBeNull();
  });
});

describe('the policy', () => {
  it.each([
    ...['GNU Affero General Public License v3', 'GNU AFFERO GENERAL PUBLIC LICENSE, Version 3'],
    ...[
      'AGPLv3',
      'AGPL v3',
      'AGPL',
      'agpl3',
      'GNU AGPLv3+',
      'Affero GPL',
      'A.G.P.L. v3',
      'AGPL_3.0',
    ],
    ...['AGPL-3.0 or later', 'AGPL-3.0-or-later OR Acme', 'AGPL-3.0-only and Foo', 'AGPL/MIT'],
    ...['AGPL-3.0 | Foo', 'Licensed under the AGPL, see LICENSE', 'AGPLv3 with Acme additions'],
    ...[
      'MIT WITH AGPL additions',
      'Acme Affero Terms',
      'ＡＧＰＬｖ３',
      '(AGPLv3)',
      'AGPL-3.0 AGPL-3.0',
    ],
    ...['CC BY-NC 4.0', 'CC-BY-NC', 'Creative Commons Attribution-NonCommercial 4.0 International'],
    ...[
      'Attribution-NonCommercial-ShareAlike 4.0',
      'CC BY NC SA 3.0 US',
      'Free for non-commercial use',
    ],
    ...['SSPL', 'SSPLv1', 'Server Side Public License', 'Server Side Public License, v 1'],
    ...['BUSL', 'BSL 1.1', 'BSL', 'Business Source License 1.1', 'Business Source License'],
    ...['Elastic License 2.0', 'Elastic License', 'ELv2', 'EUPL', 'EUPL v1.2', 'EUPL 1.2 or later'],
    ...[
      'European Union Public Licence 1.2 (EUPL 1.2)',
      'OSL',
      'OSL 3.0',
      'Open Software License v. 3.0',
    ],
    ...['Commons Clause', 'MIT + Commons Clause', 'MIT WITH Commons-Clause', 'RSALv2'],
    ...['AG\u200bPLv3', 'CommonsClause', 'LicenseRef-SSPL', 'EUPL-1.3', 'AGPL-4.0', 'agplv3plus'],
    ...['Apache 2.0 with the Commons Clause', 'Apache License 2.0, Commons Clause v1.0'],
  ])('refuses %s', (license) => {
    expect(judge(license)).toBe('rejected');
  });

  it.each([
    ['UNLICENSED', 'LicenseRef-Proprietary'],
    ['Proprietary', 'LicenseRef-Proprietary'],
    ['License :: Other/Proprietary License', 'LicenseRef-Proprietary'],
    ['All rights reserved', 'LicenseRef-Proprietary'],
  ])('takes %s for proprietary', (license, reading) => {
    expect(readLicense(license)).toBe(reading);
    expect(findKnownLicense(reading)?.category).toBe('proprietary');
    expect(judge(license)).toBe(policy.categories.proprietary);
  });

  it.each([
    'Acme EULA',
    'Not MIT',
    'Acme JSON Library',
    'Elastic Beanstalk Terms',
    'LicenseRef-x',
    'MIT AND Acme EULA',
    'GPLv2 with special sauce',
  ])('leaves %s unreviewed, which cannot be read whole', (license) => {
    expect(judge(license)).toBe('unreviewed');
  });

  it.each([
    'MIT',
    'MIT License',
    'The Apache Software License, Version 2.0',
    'BSD',
    'Public Domain',
  ])('approves %s', (license) => {
    expect(judge(license)).toBe('approved');
  });

  it('takes the word of the organisation before any reading', () => {
    const facts = { category: 'permissive', status: 'approved', note: null } as const;
    const own = { title: null, url: null, compatible_with: [], incompatible_with: [] };
    const license = {
      ...{
        name: 'AGPLv3 as Acme has it',
        ...facts,
        reviewed_by: null,
        reviewed_at: '2026-01-01',
      },
      own: { ...own, requires_attribution: null, allows_commercial: null },
    };
    const byKey = new Map([['agplv3 as acme has it', license]]);

    const record = makeExpressionRecord({ license: 'AGPLv3 as Acme has it' }, { ...held, byKey });

    expect(record).toMatchObject({ status: 'approved', normalized: null });
  });
});

describe('what is said of a license', () => {
  it.each([
    [null, null, null],
    ['MIT', 'MIT', null],
    ['AGPLv3', 'AGPL-3.0-only', 'Normalized to AGPL-3.0-only.'],
    ['Acme EULA', null, 'Acme EULA is not a known license: its status is unreviewed'],
    ['NOASSERTION', null, 'NOASSERTION is not a known license: its status is unreviewed'],
    ['MIT AND Acme', 'MIT AND Acme', 'Acme is not a known license: its status is unreviewed'],
    ['AGPL-ish', 'AGPL-1.0-or-later AND NOASSERTION', 'Part of the text was not recognised'],
    ['MIT OR', null, 'is not a valid license expression: its status is unreviewed'],
  ])('%s: read as %s, and %s', (license, reading, note) => {
    const { license_normalized, license_note } = explainNormalization(
      license,
      license === null ? null : normalizeLicense(license),
    );

    expect(license_normalized).toBe(reading);
    if (note === null) expect(license_note).toBeNull();
    else expect(license_note).toContain(note);
  });
});

describe('the names that are typed in', () => {
  it('are in the words that a text is split into', () => {
    const rows = [...families, ...fullNames, ...bareNames, ...exceptions, fillers];
    const names = rows.flatMap(([, ...some]) => some.flatMap((few) => few.split('|')));

    expect(names.filter((name) => splitWords(name).join(' ') !== name)).toEqual([]);
    expect(names.filter((name, at) => names.indexOf(name) !== at)).toEqual([]);
  });

  it('mean licenses and exceptions that are known', () => {
    const ids = [...families, ...fullNames, ...bareNames].flatMap(([meant]) => meant.split(' '));

    expect(ids.filter((id) => !findKnownLicense(id))).toEqual([]);
    expect(exceptions.map(([meant]) => findException(meant))).toEqual(
      exceptions.map(([meant]) => meant),
    );
  });
});

/** What the policy says, without what takes long to find out and is not asked for here. */
const judgeAlone = (tree: LicenseExpression): string =>
  evaluateExpression(readExpression(tree), ({ license }) => {
    const facts = findKnownLicense(license);
    const unlisted = { compatible_with: [], incompatible_with: [] };
    return facts && { ...facts, ...unlisted, status: held.policy.categories[facts.category] };
  }).status;

const restricted = ['AGPLv3', 'Commons Clause', 'CC BY-NC 4.0', 'SSPL', 'EUPL 1.2', 'OSL-3.0'];
const others = [
  'Acme',
  'MIT',
  'License',
  'the',
  'Version',
  '2.0',
  'or later',
  ',',
  '(',
  ')',
  'with',
  'and',
];

it('never loses a restricted license among other words, but for a choice', () => {
  fc.assert(
    fc.property(
      fc.array(fc.constantFrom(...others), { maxLength: 5 }),
      fc.constantFrom(...restricted),
      fc.array(fc.constantFrom(...others), { maxLength: 5 }),
      (before, license, after) => {
        const text = [...before, license, ...after].join(' ');
        // What is malformed is refused at the approval.
        const tree = parseLicense(text);
        if (tree) expect(judgeAlone(tree), text).toBe('rejected');
      },
    ),
    { numRuns: 3000, seed: 1 },
  );
});

it('reads any text, and gives no expression of more licenses than there may be', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'grapheme', maxLength: 255 }), (text) => {
      expect(() => readLicense(text)).not.toThrow();
    }),
    { numRuns: 1000, seed: 1 },
  );
  const many = Array.from({ length: 40 }, () => 'CC BY-NC, AFL, OSL').join(', ');

  expect((readLicense(many) ?? '').split(' AND ').length).toBeLessThanOrEqual(maxLicenseTerms);
});
