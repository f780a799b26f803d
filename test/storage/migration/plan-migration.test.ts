import { describe, expect, it } from 'vitest';
import { dataFormat } from '../../../shared/api/data-format.ts';
import type { FormatItem } from '../../../shared/storage/dynamodb/format-item.ts';
import { type Migration, migrations } from '../../../shared/storage/migration/migrations.ts';
import {
  MigrationRefusedError,
  planMigration,
} from '../../../shared/storage/migration/plan-migration.ts';

const upgrade = (item: Record<string, unknown>) => item;
const steps: readonly Migration[] = [
  { to: 2, upgrades: { packages: upgrade } },
  { to: 3, upgrades: { scans: upgrade } },
];

const plan = (format: FormatItem | undefined, { target = 3, isEmpty = false } = {}) =>
  planMigration([{ id: 'packages', name: 'stack-packages', format, isEmpty }], {
    migrations: steps,
    target,
  }).map(({ state: _, ...rest }) => rest);

describe('the plan of a migration', () => {
  it('numbers an empty table', () => {
    expect(plan(undefined, { isEmpty: true })).toEqual([{ action: 'number' }]);
  });

  it('leaves a table with the format of the release', () => {
    expect(plan({ format: 3 })).toEqual([{ action: 'none' }]);
  });

  it('upgrades by all steps between, also where the table has no changed items', () => {
    expect(plan({ format: 1 })).toEqual([{ action: 'upgrade', upgrades: [upgrade] }]);
    expect(plan({ format: 2 })).toEqual([{ action: 'upgrade', upgrades: [] }]);
  });

  it('continues an interrupted upgrade', () => {
    expect(plan({ format: 1, upgrading_to: 3 })).toEqual([
      { action: 'upgrade', upgrades: [upgrade] },
    ]);
  });

  it.each<[string, FormatItem | undefined, { target?: number }, RegExp]>([
    ['data without a number', undefined, {}, /has data without the number of a format/],
    [
      'data of a newer release',
      { format: 4 },
      {},
      /format 4, and this release knows formats up to 3/,
    ],
    [
      'a begun upgrade to a newer format',
      { format: 1, upgrading_to: 3 },
      { target: 2 },
      /format 3, and this release knows formats up to 2/,
    ],
    ['a gap between the steps', { format: 0 }, {}, /no migration leads from format 0/],
  ])('refuses %s, and names the table', (_, format, options, message) => {
    const planned = () => plan(format, options);

    expect(planned).toThrow(MigrationRefusedError);
    expect(planned).toThrow(/the table stack-packages \(packages\)/);
    expect(planned).toThrow(message);
  });
});

describe('the migrations of this release', () => {
  it('lead from the first format to that of the release, one by one', () => {
    const expected = Array.from({ length: dataFormat - 1 }, (_, at) => at + 2);

    expect(migrations.map(({ to }) => to)).toEqual(expected);
  });
});
