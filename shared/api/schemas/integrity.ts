import * as z from 'zod';

/** Phases of an integrity check, in order. */
export const integrityPhases = [
  'versions',
  'rows',
  'counters',
  'reviews',
  'listings',
  'records',
  'displaced',
  'events',
] as const;

/** Position from which an integrity check continues: the phase, and its last key or its next block. */
const IntegrityCursor = z.strictObject({
  phase: z.enum(integrityPhases),
  /** Last key that was read, in phases that scan a table. */
  after: z.record(z.string(), z.string()).optional(),
  /** Next block of numbers, in phases that iterate over numbers. */
  block: z.int().nonnegative().optional(),
});
export type IntegrityPhase = IntegrityCursor['phase'];
export type IntegrityCursor = z.infer<typeof IntegrityCursor>;

const Tally = z.record(z.string(), z.int());

/** Kinds of problems that an integrity check finds. */
const findingKinds = [
  'missing_row',
  'wrong_row',
  'orphaned_row',
  'wrong_counter',
  'duplicate_sequence_number',
  'wrong_index_key',
  'wrong_version_count',
  'wrong_review_state',
  'orphaned_review_state',
  'missing_due_row',
  'orphaned_due_row',
  'orphaned_attention_row',
  'orphaned_findings',
  'orphaned_details',
  'wrong_listing',
  'orphaned_listing',
  'wrong_vulnerability',
  'orphaned_vulnerability',
  'wrong_review_list',
  'orphaned_review_row',
  'wrong_pom_listing',
  'orphaned_pom_listing',
  'missing_approved_name',
  'orphaned_approved_name',
  'missing_event',
  'missing_event_number',
  'wrong_sequence',
] as const;
export type FindingKind = (typeof findingKinds)[number];

/**
 * Progress and findings of an integrity check. The report of one step is the request for the next step, until `done`.
 * The first request has only `repair`.
 */
export const IntegrityReport = z.strictObject({
  /** True to repair problems; false to report them only. */
  repair: z.boolean().default(false),
  done: z.boolean().default(false),
  next: IntegrityCursor.default({ phase: 'versions' }),
  /**
   * Number of checked items by phase. `reviews` counts review states, findings of scans, due rows, attention rows and
   * release details.
   * `listings` counts versions, their listings and the counters of the listings. `displaced` counts decision records
   * that get a new event number, since they have none of their own.
   */
  checked: Tally.default(Object.fromEntries(integrityPhases.map((phase) => [phase, 0]))),
  found: Tally.default(Object.fromEntries(findingKinds.map((kind) => [kind, 0]))),
  repaired: z.int().default(0),
  /** Number of items that changed too fast for a check, or whose check failed. The log has the details. */
  unjudged: z.int().default(0),
  examples: z.array(z.string()).default([]),
});
export type IntegrityReport = z.output<typeof IntegrityReport>;
