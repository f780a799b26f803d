import { describe, expect, it } from 'vitest';
import type { LicenseDeclaration } from '../../../shared/domain/facts/facts.ts';
import {
  type StatedLicense,
  toLicenseEvidence,
} from '../../../shared/domain/licenses/effective-license.ts';
import type { GivenStatus } from '../../../shared/domain/licenses/license-status.ts';
import { listLicenseIssues } from '../../../shared/domain/review/license-issues.ts';

const state = (text: string, status: GivenStatus, normalized = text): StatedLicense => ({
  ...{ text, normalized: status === 'unreadable' ? null : normalized, status },
});

const toStated = (status: GivenStatus | null, text: string): StatedLicense | null =>
  status === null ? null : state(text, status);

describe('the license that counts', () => {
  it.each<[GivenStatus | null, GivenStatus | null, 'submitted' | 'upstream', GivenStatus]>([
    [null, 'approved', 'upstream', 'approved'],
    [null, 'rejected', 'upstream', 'rejected'],
    ['approved', 'approved', 'upstream', 'approved'],
    ['approved', 'conditional', 'upstream', 'conditional'],
    ['approved', 'rejected', 'upstream', 'rejected'],
    ['conditional', 'approved', 'submitted', 'conditional'],
    ['conditional', 'unreviewed', 'upstream', 'unreviewed'],
    ['unreviewed', 'conditional', 'submitted', 'unreviewed'],
    ['unreviewed', 'rejected', 'upstream', 'rejected'],
    ['rejected', 'approved', 'submitted', 'rejected'],
    ['rejected', 'unreviewed', 'submitted', 'rejected'],
    ['unreadable', 'approved', 'submitted', 'unreadable'],
    ['unreadable', 'rejected', 'upstream', 'rejected'],
  ])('is the worse one: %s submitted, %s upstream', (submitted, upstream, source, status) => {
    const { effective } = toLicenseEvidence(
      toStated(submitted, 'Submitted'),
      toStated(upstream, 'Upstream'),
      'readable',
    );

    const text = source === 'submitted' ? 'Submitted' : 'Upstream';
    expect(effective).toMatchObject({ source, status, text });
  });

  it.each<LicenseDeclaration>(['none', 'unknown'])(
    'is the submitted one where the upstream declaration is %s',
    (declaration) => {
      const submitted = state('MIT', 'approved');

      expect(toLicenseEvidence(submitted, null, declaration).effective).toEqual({
        ...{ source: 'submitted', ...submitted },
      });
      expect(toLicenseEvidence(null, null, declaration).effective).toBeNull();
    },
  );

  it.each<[StatedLicense | null, LicenseDeclaration]>([
    [null, 'unreadable'],
    [state('\u041cIT', 'unreadable'), 'readable'],
  ])('never falls back from an unreadable declaration (%#)', (upstream, declaration) => {
    const evidence = toLicenseEvidence(state('MIT', 'approved'), upstream, declaration);

    expect(evidence).toMatchObject({
      ...{ upstream_declaration: 'unreadable', upstream: null },
      effective: { source: 'upstream', text: null, status: 'unreadable' },
    });
  });
});

describe('an issue of the license', () => {
  const object = (
    submitted: StatedLicense | null,
    upstream: StatedLicense | null = null,
    { declaration = upstream ? 'readable' : 'none', requireApproved = false } = {},
  ) =>
    listLicenseIssues(toLicenseEvidence(submitted, upstream, declaration as LicenseDeclaration), {
      requireApproved,
      isSame: submitted?.text === upstream?.text,
    }).map(({ code, message }) => [code, message]);

  it.each<[string, ReturnType<typeof object>, string[][]]>([
    ['nothing of an approved one', object(state('MIT', 'approved')), []],
    ['that there is none', object(null), [['license_unreviewed', 'No license is known.']]],
    [
      'that the submitted one is rejected',
      object(state('GPL v3', 'rejected', 'GPL-3.0-only')),
      [
        [
          'license_rejected',
          'The license GPL v3, which is normalized to GPL-3.0-only, is rejected.',
        ],
      ],
    ],
    [
      'that the declared one is rejected',
      object(null, state('SSPL-1.0', 'rejected')),
      [['license_rejected', 'The license SSPL-1.0, which the package declares, is rejected.']],
    ],
    [
      'how the declared one reads',
      object(null, state('GPL v3', 'unreviewed', 'GPL-3.0-only')),
      [
        [
          'license_unreviewed',
          'The license GPL v3, which the package declares and which is normalized to GPL-3.0-only, is unreviewed.',
        ],
      ],
    ],
    [
      'that only an approved one will do',
      object(state('MIT', 'approved'), state('MPL-2.0', 'conditional'), { requireApproved: true }),
      [
        [
          'license_not_approved',
          'The license MPL-2.0, which the package declares, is conditional, but an approved license is required.',
        ],
        ['license_differs', expect.any(String)],
      ],
    ],
    [
      'that the submitted one is rejected beside an unreadable one',
      object(state('SSPL-1.0', 'rejected'), null, { declaration: 'unreadable' }),
      [
        ['license_unreadable', expect.stringContaining('cannot be read')],
        ['license_rejected', 'The license SSPL-1.0 is rejected.'],
      ],
    ],
  ])('says %s', (_, issues, expected) => {
    expect(issues).toEqual(expected);
  });

  it.each([['MIT', 'Apache-2.0']])(
    'says that %s was submitted where the package declares %s',
    (submitted, upstream) => {
      const issues = object(state(submitted, 'approved'), state(upstream, 'approved'));

      const message = `It was submitted under the license ${submitted}, but the package declares ${upstream}.`;
      expect(issues).toEqual([['license_differs', message]]);
    },
  );

  it('is none where the package declares the submitted license', () => {
    expect(object(state('MIT', 'approved'), state('MIT', 'approved'))).toEqual([]);
  });
});
