import type { Recall } from '../../shared/api/schemas/recall.ts';
import { formatPackage } from '../../shared/domain/packages/format-package.ts';
import { defineCommand } from '../framework/define-command.ts';
import { addUses, type RowUses } from '../many/project-uses.ts';
import { toMinutes } from '../presentation/merged-scan.ts';
import { presentUses } from '../presentation/used-by.ts';

const presentRecall = (row: Recall & RowUses): object => ({
  package: formatPackage(row),
  record: row.record,
  ...presentUses(row),
  recalled_utc: toMinutes(row.recalled_at),
  approved_utc: row.approved_at === null ? null : toMinutes(row.approved_at),
  ended_utc: row.ended_at === null ? null : toMinutes(row.ended_at),
});

export const recalls = defineCommand('listRecalls', {
  name: 'recalls',
  examples: ['recalls', 'recalls --all --json'],
  flags: { before: { description: 'only earlier recalls: a time, or `next` of the page before' } },
  completeRows: addUses,
  view: { presentRow: presentRecall, droppable: ['approved_utc'] },
});
