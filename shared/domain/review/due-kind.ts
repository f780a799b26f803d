/**
 * The kinds of due work: an acceptance that ended is removed from versions; one whose time is over is ended; an approval
 * expires; the policy judges a version again; an acceptance is brought to versions; a long listing goes on.
 */
export const dueKinds = [
  'acceptance-over',
  'acceptance-end',
  'expiry',
  'policy',
  'acceptance',
  'listing',
] as const;
export type DueKind = (typeof dueKinds)[number];
