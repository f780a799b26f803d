import type { AttentionPage } from '../../shared/api/schemas/attention.ts';
import { formatPackage } from '../../shared/domain/packages/format-package.ts';
import { nameRecallRecord } from '../../shared/domain/recalls/recall.ts';
import { formatSeverityCounts } from '../../shared/domain/vulnerabilities/severity-counts.ts';
import type { JsonObject } from '../../shared/util/json.ts';
import { defineCommand } from '../framework/define-command.ts';
import { addUses, type RowUses } from '../many/project-uses.ts';
import { toMinutes } from '../presentation/merged-scan.ts';
import { presentUses } from '../presentation/used-by.ts';

type Attention = AttentionPage['attention'][number];

/** The reasons for attention in words. Registries of later releases may send others. */
const reasonTexts: Readonly<Record<string, string>> = {
  recalled: 'recalled',
  scan_failed: 'vulnerable',
  content_changed: 'content changed since approval',
  removed: 'removed upstream',
  yanked: 'yanked',
  deprecated: 'deprecated',
} satisfies Record<Attention['reasons'][number], string>;

const explain = ({ reasons, recall, severity }: Attention): string => {
  const found = formatSeverityCounts(severity);
  return reasons
    .map((reason) => {
      if (reason === 'recalled' && recall) return `recalled: ${nameRecallRecord(recall)}`;
      return reason === 'scan_failed' && found ? found : (reasonTexts[reason] ?? reason);
    })
    .join(', ');
};

const presentVersion = (row: Attention & RowUses): object => ({
  package: formatPackage(row),
  since_utc: toMinutes(row.since),
  why: explain(row),
  ...presentUses(row),
});

/** Leaves out how far the registry looked, if it looked at everything. */
const presentProgress = ({ looked_at, complete, ...about }: JsonObject): JsonObject =>
  complete === false ? { ...about, looked_at, complete } : about;

export const attention = defineCommand('listAttention', {
  name: 'attention',
  examples: ['attention', 'attention --reason yanked', 'attention --all --json'],
  flags: {
    reason: { description: 'only versions that need attention for this reason' },
    search: { description: 'only versions with this text in their name' },
  },
  completeRows: addUses,
  view: { presentRow: presentVersion, presentAbout: presentProgress, droppable: ['since_utc'] },
});
