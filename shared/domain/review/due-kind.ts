/**
 * Kinds of scheduled work. `acceptance-over`: remove an ended risk acceptance from versions. `acceptance-end`: end an
 * expired risk acceptance. `expiry`: expire an approval. `policy`: evaluate the policy again. `acceptance`: apply a
 * risk acceptance to versions. `listing`: continue a long listing.
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
