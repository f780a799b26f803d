import type { AttentionPage } from '../../shared/api/schemas/attention.ts';
import { defineCommand } from '../framework/define-command.ts';
import { formatSeverityCounts, toMinutes } from '../presentation/merged-scan.ts';

const presentVersion = ({
  since,
  name,
  version,
  ecosystem,
  severity,
}: AttentionPage['attention'][number]): object => ({
  ...{ name, version, ecosystem },
  since_utc: toMinutes(since),
  found: formatSeverityCounts(severity),
});

export const attention = defineCommand('listAttention', {
  name: 'attention',
  examples: ['attention', 'attention --all --json'],
  flags: { after: { description: 'only entries after the `next` of the page before' } },
  view: { presentRow: presentVersion },
});
