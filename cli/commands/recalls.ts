import type { Recall } from '../../shared/api/schemas/recall.ts';
import { formatPackage } from '../../shared/domain/packages/format-package.ts';
import { defineCommand } from '../framework/define-command.ts';
import { toMinutes } from '../presentation/merged-scan.ts';

const presentRecall = (row: Recall): object => ({
  package: formatPackage(row),
  record: row.record,
  recalled_utc: toMinutes(row.recalled_at),
  approved_utc: row.approved_at === null ? null : toMinutes(row.approved_at),
  ended_utc: row.ended_at === null ? null : toMinutes(row.ended_at),
});

export const recalls = defineCommand('listRecalls', {
  name: 'recalls',
  examples: ['recalls', 'recalls --all --json'],
  flags: { before: { description: 'only earlier recalls: a time, or `next` of the page before' } },
  view: { presentRow: presentRecall, droppable: ['approved_utc'] },
});
