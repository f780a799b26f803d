import * as z from 'zod';

/** Phases of an integrity check, in order. */
export const integrityPhases = [
  'sums',
  'versions',
  'rows',
  'counters',
  'reviews',
  'listings',
  'records',
  'displaced',
  'events',
  'projects',
  'uses',
] as const;

/** Position from which a segment of a phase continues; empty at its beginning. */
const IntegrityPosition = z.strictObject({
  /** Last key that was read, in phases that scan a table. */
  after: z.record(z.string(), z.string()).optional(),
  /** Next block of numbers, in phases that iterate over numbers. */
  block: z.int().nonnegative().optional(),
});
export type IntegrityPosition = z.infer<typeof IntegrityPosition>;

/** Phase with which an integrity check continues, and where. */
const IntegrityCursor = z.strictObject({
  phase: z.enum(integrityPhases),
  /** Position of each segment, whose pages are checked in parallel; null for a complete one. Absent before the first page. */
  segments: z.array(IntegrityPosition.nullable()).optional(),
});
export type IntegrityPhase = IntegrityCursor['phase'];
export type IntegrityCursor = z.infer<typeof IntegrityCursor>;

/** Sums of checksums by range, which show the ranges with a wrong item. */
const StoredSums = z.strictObject({
  /** Random text, so that two checks calculate different sums. */
  seed: z.string(),
  /** Sums of all ranges, in base64. */
  sums: z.base64(),
});
export type StoredSums = z.infer<typeof StoredSums>;

/** Sums over the rows of lists and searches, by ranges of sequence numbers. */
const StoredRowSums = z.strictObject({
  ...StoredSums.shape,
  /** Number of bits of the sequence numbers in a range. */
  rangeBits: z.int().nonnegative(),
});
export type StoredRowSums = z.infer<typeof StoredRowSums>;

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
  'unpinned_approval',
  'unconfirmed_files',
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
  'wrong_pack',
  'orphaned_pack_part',
  'missing_event',
  'missing_event_number',
  'wrong_sequence',
  'unrecorded_restore',
  'missing_use',
  'wrong_use',
  'orphaned_use',
  'unreadable_snapshot',
  'orphaned_snapshot',
  'wrong_project',
  'wrong_project_count',
] as const;
export type FindingKind = (typeof findingKinds)[number];

/**
 * Progress and findings of an integrity check. The report of one step is the request for the next step, until `done`.
 * The first request has only `repair`.
 */
const Report = z.strictObject({
  /** True to repair problems; false to report them only. */
  repair: z.boolean().default(false),
  done: z.boolean().default(false),
  next: IntegrityCursor.default({ phase: 'sums' }),
  /** Absent before the first step. */
  row_sums: StoredRowSums.optional(),
  /** Sums over the uses of package versions by projects. Absent before the first step. */
  use_sums: StoredSums.optional(),
  /**
   * Number of checked items by phase. `sums` counts all rows, and `rows` those that are looked up, because a row near
   * them seems wrong. `reviews` counts review states, findings of scans, due rows, attention rows and release details.
   * `listings` counts versions, their listings, the counters of the listings, and packs with their parts. `displaced`
   * counts decision records
   * that get a new event number, since they have none of their own. `projects` counts projects, their refs, the parts of
   * their snapshots and all uses, and `uses` the refs and uses that are looked up.
   */
  checked: Tally.default(Object.fromEntries(integrityPhases.map((phase) => [phase, 0]))),
  found: Tally.default(Object.fromEntries(findingKinds.map((kind) => [kind, 0]))),
  repaired: z.int().default(0),
  /** Number of items that changed too fast for a check, or whose check failed. The log has the details. */
  unjudged: z.int().default(0),
  examples: z.array(z.string()).default([]),
});
export const IntegrityReport = Report.refine(
  ({ next, row_sums }) => row_sums !== undefined || (next.phase === 'sums' && !next.segments),
  { path: ['row_sums'], error: 'is required after the first step' },
);
export type IntegrityReport = z.output<typeof IntegrityReport>;
