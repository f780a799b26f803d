import * as z from 'zod';

const auditPhases = [
  'versions',
  'rows',
  'counters',
  'reviews',
  'listings',
  'records',
  'displaced',
  'events',
] as const;

/** Where an audit goes on: in which phase, and after which item or at which block. */
const AuditCursor = z.strictObject({
  phase: z.enum(auditPhases),
  after: z.record(z.string(), z.string()).optional(),
  block: z.int().nonnegative().optional(),
});
export type AuditPhase = AuditCursor['phase'];
export type AuditCursor = z.infer<typeof AuditCursor>;

const Tally = z.record(z.string(), z.int());

/** What was wrong, by kind, and a few examples of each. */
const findingKinds = [
  'missing_row',
  'wrong_row',
  'orphaned_row',
  'wrong_counter',
  'double_ordinal',
  'wrong_index_key',
  'wrong_version_count',
  'wrong_head',
  'orphaned_head',
  'missing_due',
  'orphaned_due',
  'orphaned_attention',
  'orphaned_findings',
  'wrong_listing',
  'orphaned_listing',
  'wrong_vulnerability',
  'orphaned_vulnerability',
  'wrong_poms',
  'orphaned_pom',
  'missing_event',
  'lost_number',
  'wrong_sequence',
] as const;
export type FindingKind = (typeof findingKinds)[number];

/**
 * How far an audit has come, and what it found. One step's report is the next step's request, until `done`. To begin,
 * send nothing but `repair`.
 */
export const AuditReport = z.strictObject({
  /** Whether to mend what is wrong, and not only report it. */
  repair: z.boolean().default(false),
  done: z.boolean().default(false),
  next: AuditCursor.default({ phase: 'versions' }),
  /**
   * How much of each kind was looked at: `reviews` are heads, what scans found, and rows of what is due or needs attention,
   * `listings` versions, what they are listed under and what is counted of that, `records` those of what happened,
   * `displaced` those of them that are told of anew, since nothing says which event they were.
   */
  checked: Tally.default(Object.fromEntries(auditPhases.map((phase) => [phase, 0]))),
  found: Tally.default(Object.fromEntries(findingKinds.map((kind) => [kind, 0]))),
  repaired: z.int().default(0),
  /** Changed too fast to be judged, so that another audit may; or could not be, as the log says. */
  unjudged: z.int().default(0),
  examples: z.array(z.string()).default([]),
});
export type AuditReport = z.output<typeof AuditReport>;
