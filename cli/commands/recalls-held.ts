import type { HeldRecall } from '../../shared/api/schemas/held-recall.ts';
import { defineCommand } from '../framework/define-command.ts';
import { toMinutes } from '../presentation/merged-scan.ts';

/** The reasons of a hold in words. Registries of later releases may send others. */
const reasonTexts: Readonly<Record<string, string>> = {
  bare_range: 'names all versions',
  too_many: 'names many old versions',
} satisfies Record<HeldRecall['reasons'][number], string>;

const presentHeld = ({ record, ecosystem, packages, reasons, ...row }: HeldRecall): object => ({
  record,
  packages: packages.map((name) => `${ecosystem}:${name}`).join(', '),
  versions: row.versions,
  why: reasons.map((reason) => reasonTexts[reason] ?? reason).join(', '),
  held_utc: toMinutes(row.held_at),
  confirmed_utc: row.confirmed === null ? null : toMinutes(row.confirmed.at),
});

export const recallsHeld = defineCommand('listHeldRecalls', {
  name: 'recalls held',
  examples: ['recalls held', 'recalls held --json'],
  view: { presentRow: presentHeld, droppable: ['held_utc'] },
});
