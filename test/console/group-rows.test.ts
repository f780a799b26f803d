import { describe, expect, it } from 'vitest';
import { foldUpdates, groupByPackage } from '../../console/views/packages/group-rows.ts';

const row = (version: string, newer: string | null = null, name = 'lodash') => {
  const id = { ecosystem: 'npm', name, version } as const;
  return { ...id, key: `the-row-of-${name}-${version}`, newer };
};

const other = row('2.0.0', null, 'other');
const rows = [row('1.1.0', '1.3.0'), other, row('1.2.0', '1.3.0'), row('1.3.0')];
const keyOf = (version: string) => (version === '2.0.0' ? other : row(version)).key;
const isDecided = () => false;

describe('rows of the queue', () => {
  it.each([
    ['have the newest update alone', [], ['2.0.0', '1.3.0']],
    [
      'have older updates behind the newest one that is open',
      ['1.3.0'],
      ['2.0.0', '1.3.0', '1.1.0', '1.2.0'],
    ],
    ['stay where a version without older updates is open', ['2.0.0'], ['2.0.0', '1.3.0']],
  ])('%s', (_, open, versions) => {
    const folded = foldUpdates(rows, {
      opened: new Set(open.map(keyOf)),
      isWhole: true,
      isDecided,
    });

    expect(folded.map(({ version }) => version)).toEqual(versions);
  });

  it('have the older updates of a decided one, until the list is read again', () => {
    const terms = { opened: new Set([keyOf('1.3.0')]), isWhole: true };

    const folded = foldUpdates(rows, { ...terms, isDecided: ({ version }) => version === '1.3.0' });

    expect(folded).toEqual(rows);
  });

  it('have an older update whose newer version is nowhere in the whole list', () => {
    const lost = [row('1.1.0', '9.9.9')];

    expect(foldUpdates(lost, { opened: new Set(), isWhole: true, isDecided })).toEqual(lost);
    expect(foldUpdates(lost, { opened: new Set(), isWhole: false, isDecided })).toEqual([]);
  });
});

describe('rows by package', () => {
  const byPackage = [row('1.0.0'), other, row('1.1.0'), row('1.2.0')];
  const group = (...opened: readonly string[]) =>
    groupByPackage(byPackage, new Set(opened.map((version) => row(version).key)));
  const toVersions = (rows: readonly { readonly version: string }[]) =>
    rows.map(({ version }) => version);

  it('have one row for each package, at the position of its first version', () => {
    const { rows: shown, members } = group();

    expect(toVersions(shown)).toEqual(['1.0.0', '2.0.0']);
    expect(toVersions(members.get(row('1.0.0').key) ?? [])).toEqual(['1.1.0', '1.2.0']);
    expect(members.has(other.key)).toBe(false);
  });

  it('have the other versions behind the first one of an open group', () => {
    expect(toVersions(group('1.0.0').rows)).toEqual(['1.0.0', '1.1.0', '1.2.0', '2.0.0']);
  });
});
