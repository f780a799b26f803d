import { describe, expect, it } from 'vitest';
import { findOlderUpdates } from '../../../shared/domain/review/older-updates.ts';
import type { Ecosystem } from '../../../shared/ecosystems/ecosystem.ts';

const update = (version: string, name = 'lodash', ecosystem: Ecosystem = 'npm') => ({
  ...{ ecosystem, name, version, isFix: false },
});
const fix = (version: string) => ({ ...update(version), isFix: true });

const newerOf = (updates: Parameters<typeof findOlderUpdates>[0]) => {
  const { findNewer } = findOlderUpdates(updates);
  return updates.map((one) => findNewer(one));
};

describe('the newer version of each pending update', () => {
  it.each([
    ['of one update', [update('4.17.20')], [undefined]],
    [
      'is the highest, in the order of the ecosystem and in any major version',
      [update('4.9.0'), update('5.0.0'), update('4.10.0'), update('5.0.0-rc.1')],
      ['5.0.0', undefined, '5.0.0', '5.0.0'],
    ],
    ['is of the same package', [update('1.0.0'), update('2.0.0', 'other')], [undefined, undefined]],
    [
      'is of the same ecosystem',
      [update('1.0.0'), update('2.0.0', 'lodash', 'pypi')],
      [undefined, undefined],
    ],
    [
      'may be a security fix',
      [update('1.1.0'), update('1.2.0'), fix('1.3.0')],
      ['1.3.0', '1.3.0', undefined],
    ],
    [
      'is no mere update for the newest security fix',
      [fix('1.1.0'), fix('1.2.0'), update('1.3.0'), update('1.0.1')],
      ['1.2.0', undefined, undefined, '1.3.0'],
    ],
  ])('%s', (_, updates, newer) => {
    expect(newerOf(updates)).toEqual(newer);
    expect(newerOf(updates.toReversed())).toEqual(newer.toReversed());
  });

  it('has the older ones in their order, in any spelling of the package', () => {
    const older = findOlderUpdates([
      update('2.10.0', 'flask-login', 'pypi'),
      update('2.9.0', 'flask-login', 'pypi'),
      update('3.0.0', 'flask-login', 'pypi'),
    ]);

    const spelled = { ecosystem: 'pypi', name: 'Flask_Login', version: '3.0' } as const;
    expect(older.listOlder(spelled)).toEqual(['2.9.0', '2.10.0']);
    expect(older.listOlder({ ...spelled, version: '2.10.0' })).toEqual([]);
    expect(older.findNewer({ ...spelled, version: '2.9' })).toBe('3.0.0');
    expect(older.all).toHaveLength(2);
  });
});
