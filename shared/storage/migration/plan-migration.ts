import type { TableId } from '../../api/resources.ts';
import type { FormatItem } from '../dynamodb/format-item.ts';
import type { Migration, UpgradeItem } from './migrations.ts';

/** State of a table before a migration. */
export interface TableState {
  readonly id: TableId;
  /** Name in the deployment. */
  readonly name: string;
  readonly format: FormatItem | undefined;
  /** True without any item. */
  readonly isEmpty: boolean;
}

/** What a migration does with a table: nothing, write the number of the format, or upgrade its items. */
export type TablePlan =
  | { readonly state: TableState; readonly action: 'none' | 'number' }
  | {
      readonly state: TableState;
      readonly action: 'upgrade';
      readonly upgrades: readonly UpgradeItem[];
    };

/** The data cannot be brought to the format of this release. Nothing was changed. */
export class MigrationRefusedError extends Error {
  override readonly name = 'MigrationRefusedError';
}

interface Goal {
  readonly migrations: readonly Migration[];
  /** Format after the migration. */
  readonly target: number;
}

const planTable = (state: TableState, { migrations, target }: Goal): TablePlan => {
  const { id, name, format: stored, isEmpty } = state;
  if (stored === undefined) {
    if (isEmpty) return { state, action: 'number' };
    throw new MigrationRefusedError(
      `the table ${name} (${id}) has data without the number of a format: no release can upgrade it. Deploy with new tables`,
    );
  }
  const { format, upgrading_to } = stored;
  const reached = Math.max(format, upgrading_to ?? format);
  if (reached > target) {
    throw new MigrationRefusedError(
      `the table ${name} (${id}) has data of format ${reached}, and this release knows formats up to ${target}. Deploy the release of the data, or restore the tables to a moment before their upgrade`,
    );
  }
  if (format === target && upgrading_to === undefined) return { state, action: 'none' };
  const steps = migrations.filter(({ to }) => to > format && to <= target);
  if (steps.length !== target - format) {
    throw new MigrationRefusedError(
      `no migration leads from format ${format} of the table ${name} (${id}) to format ${target}. Deploy the releases between them first`,
    );
  }
  const upgrades = steps.flatMap(({ upgrades: all }) => all[id] ?? []);
  return { state, action: 'upgrade', upgrades };
};

/**
 * Returns what a migration does with each table.
 * @throws {MigrationRefusedError} if one table cannot have the format of the release
 */
export const planMigration = (states: readonly TableState[], goal: Goal): readonly TablePlan[] =>
  states.map((state) => planTable(state, goal));
