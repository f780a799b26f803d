import * as z from 'zod';

/** The phases in their order. */
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

/** Where the integrity check continues: the phase, and the last key or the next block in it. */
const IntegrityCursor = z.strictObject({
  phase: z.enum(integrityPhases),
  /** The last key that was read, in phases that scan a table. */
  after: z.record(z.string(), z.string()).optional(),
  /** The next block, in phases that go by numbers. */
  block: z.int().nonnegative().optional(),
});
export type IntegrityPhase = IntegrityCursor['phase'];
export type IntegrityCursor = z.infer<typeof IntegrityCursor>;

const Tally = z.record(z.string(), z.int());

/** The kinds of problems that the integrity check finds. */
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
  'wrong_listing',
  'orphaned_listing',
  'wrong_vulnerability',
  'orphaned_vulnerability',
  'wrong_pom_listing',
  'orphaned_pom_listing',
  'missing_event',
  'missing_event_number',
  'wrong_sequence',
] as const;
export type FindingKind = (typeof findingKinds)[number];

/**
 * The progress and the findings of an integrity check. The report of one step is the request of the next one, until
 * `done`. The first request has `repair` alone.
 */
export const IntegrityReport = z.strictObject({
  /** Repairs what is wrong if true; reports only if false. */
  repair: z.boolean().default(false),
  done: z.boolean().default(false),
  next: IntegrityCursor.default({ phase: 'versions' }),
  /**
   * The number of checked items by phase. `reviews` counts review states, findings of scans, due rows and attention rows.
   * `listings` counts versions, their listings and the counters of these. `displaced` counts decision records that get a
   * new event number, since no note names their own.
   */
  checked: Tally.default(Object.fromEntries(integrityPhases.map((phase) => [phase, 0]))),
  found: Tally.default(Object.fromEntries(findingKinds.map((kind) => [kind, 0]))),
  repaired: z.int().default(0),
  /** The number of items that changed too fast to be judged, or whose check failed, as the log says. */
  unjudged: z.int().default(0),
  examples: z.array(z.string()).default([]),
});
export type IntegrityReport = z.output<typeof IntegrityReport>;
