import * as z from 'zod';
import { holdReasons } from '../../domain/recalls/held-recall.ts';
import { malwareId } from '../../domain/vulnerabilities/malware-id.ts';
import { Ecosystem } from './ecosystem.ts';
import { Timestamp } from './package.ts';
import { Limit } from './query.ts';
import { line, optional } from './text.ts';
import { Time } from './time.ts';

/** Page of the list of held records. */
export const HeldRecallsQuery = z.strictObject({
  after: z
    .string()
    .regex(malwareId, { error: 'must be `next` of the page before' })
    .optional()
    .describe('Continues a list: `next` of the previous page.'),
  limit: Limit,
});
export type HeldRecallsQuery = z.output<typeof HeldRecallsQuery>;

const RecallConfirmation = z
  .strictObject({
    by: z.string().nullable().describe('Who confirmed it: the label of the token.'),
    at: Timestamp,
    reason: z.string(),
  })
  .describe('The confirmation of a held record: the next run recalls its versions.');

export const HeldRecall = z
  .strictObject({
    record: z.string().describe('ID of the record of malware in OSV, such as `MAL-2026-2307`.'),
    ecosystem: Ecosystem,
    summary: z.string().nullable(),
    reasons: z
      .array(z.enum(holdReasons))
      .describe(
        'Why the record recalls nothing by itself: it names all versions, and so old ones (`bare_range`), or more old versions than a wrong record should hit (`too_many`).',
      ),
    versions: z.int().positive().describe('Number of approved versions that the record names.'),
    packages: z.array(z.string()).describe('Names of the packages, at most 50.'),
    held_at: Timestamp.describe('When the record was put on hold.'),
    confirmed: RecallConfirmation.nullable().describe('Null until somebody confirms the record.'),
  })
  .describe(
    'A record of malware that names approved versions, and that recalls them only after a decision. Until then, rules approve nothing of its packages.',
  );
export type HeldRecall = z.infer<typeof HeldRecall>;

export const HeldRecallPage = z
  .strictObject({
    held_recalls: z.array(HeldRecall),
    next: z.string().nullable().describe('Cursor: send it as `after` to get the next page.'),
  })
  .describe('Held records of malware, by their ids.');
export type HeldRecallPage = z.infer<typeof HeldRecallPage>;

const heldRecallDecisions = ['recall', 'dismiss'] as const;

const maxReasonLength = 500;

export const HeldRecallRequest = z
  .strictObject({
    decision: z
      .enum(heldRecallDecisions)
      .default('recall')
      .describe(
        'Whether to recall the approved versions that the record names, within minutes, or to dismiss the record as a false alarm.',
      ),
    reason: line(maxReasonLength).describe('Why. It is kept with the recalls.'),
    held_at: optional(Time).describe(
      'The `held_at` that the caller has seen. If the record was put on hold again since, the request is refused with `decision_conflict`.',
    ),
  })
  .describe('Decision on a held record of malware.');
export type HeldRecallRequest = z.output<typeof HeldRecallRequest>;

export const HeldRecallDecision = z
  .strictObject({
    record: z.string(),
    decision: z.enum(heldRecallDecisions),
    reason: z.string(),
    by: z.string().nullable().describe('Who decided: the label of the token.'),
    at: Timestamp,
    versions: z
      .int()
      .positive()
      .describe('Number of approved versions that the record named when it was put on hold.'),
  })
  .describe('The decision on a held record of malware.');
export type HeldRecallDecision = z.infer<typeof HeldRecallDecision>;
