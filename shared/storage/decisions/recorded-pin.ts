import type { RecordItem } from './records.ts';

/**
 * Returns the digest of the upstream metadata whose files a decision concerns. Records of earlier releases have only the
 * evidence; a renewed approval kept earlier files there.
 */
export const findRecordedPin = ({
  pinned,
  evidence,
  from,
  to,
}: Pick<RecordItem, 'pinned' | 'evidence' | 'from' | 'to'>): string | undefined => {
  if (pinned !== undefined || (from === 'approved' && to === 'approved')) return pinned;
  return evidence?.facts?.found === 'yes' ? evidence.facts.digest : undefined;
};
