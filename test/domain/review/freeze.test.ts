import { expect, it } from 'vitest';
import { explainFreeze, isFrozen } from '../../../shared/domain/review/freeze.ts';

const before = '2026-09-15T00:00:00.000Z';
const freeze = {
  ...{ before, since: '2026-09-16T03:12:00.000Z', reason: 'Malware in npm' },
  ...{ by: 'ana', token_label: 'ana' },
};
const npm = { ecosystem: 'npm' } as const;
const docker = { ecosystem: 'docker' } as const;
const published = (published_at: string | null) => ({ facts: { published_at } });

it.each([
  ['a version published before', npm, published('2026-09-14T23:59:59.999Z'), false],
  ['a version published at that time', npm, published(before), false],
  ['a version published after', npm, published('2026-09-15T00:00:00.001Z'), true],
  ['a version published at an unknown time', npm, published(null), true],
  ['a version published at an unreadable time', npm, published('yesterday'), true],
  ['a version without upstream metadata', npm, { facts: null }, true],
  ['a version that is not in the registry', npm, undefined, true],
  ['an image approved before', docker, { facts: null, approved_at: '2026-09-14T00:00:00Z' }, false],
  ['an image approved after', docker, { facts: null, approved_at: '2026-09-16T00:00:00Z' }, true],
  [
    'an image published before, without an approval',
    docker,
    published('2026-01-01T00:00:00Z'),
    true,
  ],
])('refuses %s: %#', (_, id, times, expected) => {
  expect(isFrozen(freeze, id, times)).toBe(expected);
  expect(isFrozen(undefined, id, times)).toBe(false);
});

it('refuses all versions if its time is unreadable', () => {
  const damaged = { ...freeze, before: 'yesterday' };

  expect(isFrozen(damaged, npm, published('2020-01-01T00:00:00.000Z'))).toBe(true);
});

it('explains since when, what and why', () => {
  expect(explainFreeze(freeze, npm)).toBe(
    'the registry has been frozen since 2026-09-16T03:12:00Z and refuses versions published after 2026-09-15T00:00:00Z or at an unknown time: Malware in npm',
  );
  expect(explainFreeze(freeze, docker)).toContain('refuses images approved after 2026-09-15');
});
