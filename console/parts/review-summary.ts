import type { ReviewSummary } from '../../shared/api/schemas/review-summary.ts';

type Wait = keyof ReviewSummary['waits'];

/** What pending versions wait for, in words. */
const waitTexts: Readonly<Record<Wait, string>> = {
  review: 'need you',
  age: 'wait for their age',
  facts: 'wait for upstream metadata',
  scan: 'wait for a scan',
  rules: 'wait for rules',
  freeze: 'wait for the end of the freeze',
};

const waits = Object.keys(waitTexts) as Wait[];

/** Describes what the pending versions of a list wait for: `3 need you, 497 wait for their age`. */
export const summarizeCounts = (summary: ReviewSummary): string => {
  const parts = waits
    .filter((wait) => summary.waits[wait] > 0)
    .map((wait) => `${summary.waits[wait].toLocaleString('en')} ${waitTexts[wait]}`);
  const isPart = summary.evaluated < summary.pending;
  const of = isPart ? ` (of the first ${summary.evaluated.toLocaleString('en')} pending)` : '';
  return parts.length > 0 ? `${parts.join(', ')}${of}` : '';
};
