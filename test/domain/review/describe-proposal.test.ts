import { expect, it } from 'vitest';
import {
  describeProposal,
  type ProposedVersion,
} from '../../../shared/domain/review/describe-proposal.ts';

const upgrade: ProposedVersion = {
  package: { ecosystem: 'npm', version: '4.17.21', status: 'pending' },
  changes: { since: '4.17.20', since_status: 'approved' },
  ...{ automatic: null, earlier: [], batches: [] },
};
const none = { since: null, since_status: null };

it.each<[Partial<ProposedVersion>, string | null]>([
  [{}, 'Upgrade of approved 4.17.20, patch'],
  [{ changes: { since: '4.16.0', since_status: 'approved' } }, 'Upgrade of approved 4.16.0, minor'],
  [{ automatic: { cause: 'security_fix' } }, 'Security fix of approved 4.17.20, patch'],
  [{ changes: none }, 'New package'],
  [{ changes: { since: '4.17.20', since_status: 'rejected' } }, 'New package'],
  [{ changes: null }, null],
  [{ changes: none, batches: ['shop'] }, 'New package, requested by batch shop'],
  [{ changes: null, batches: ['shop', 'till'] }, 'Requested by 2 batches'],
  [{ batches: ['updates'] }, 'Upgrade of approved 4.17.20, patch'],
  [
    { changes: none, earlier: [{ version: '5.0.0', status: 'approved' }] },
    'Another version of a package with approved 5.0.0',
  ],
  [
    {
      changes: none,
      earlier: [
        { version: '5.0.0', status: 'rejected' },
        { version: '5.0.0', status: 'approved' },
      ],
    },
    'New package',
  ],
  [{ package: { ...upgrade.package, status: 'approved' } }, null],
])('describes the proposal of a version with %j as %j', (fields, line) => {
  expect(describeProposal({ ...upgrade, ...fields })).toBe(line);
});

it('adds the number of projects that use the version, where the caller knows it', () => {
  const uses = { projects: 3, projects_at_least: false };

  expect(describeProposal(upgrade, uses)).toBe(
    'Upgrade of approved 4.17.20, patch, used by 3 projects',
  );
  expect(describeProposal(upgrade, { ...uses, projects: 0 })).toBe(describeProposal(upgrade));
  expect(describeProposal(upgrade, null)).toBe(describeProposal(upgrade));
});

it('describes the proposal of a registry of an earlier release, which has no batches', () => {
  const { batches, ...earlier } = upgrade;

  expect(batches).toEqual([]);
  expect(describeProposal(earlier)).toBe('Upgrade of approved 4.17.20, patch');
});
