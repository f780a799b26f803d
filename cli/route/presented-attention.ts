import type { AttentionPage } from '../../shared/api/schemas/attention.ts';
import { formatCounts, toMinutes } from './scan-picture.ts';

/** An approved version whose scans failed, for people. */
export const presentAttention = ({
  since,
  name,
  version,
  ecosystem,
  severity,
}: AttentionPage['attention'][number]): object => ({
  name,
  version,
  ecosystem,
  since_utc: toMinutes(since),
  found: formatCounts(severity),
});
