/** Reasons for a person to review a version again: a recall, or a new problem of an approved version. */
export const attentionReasons = [
  'recalled',
  'scan_failed',
  'content_changed',
  'removed',
  'yanked',
  'deprecated',
] as const;

export type AttentionReason = (typeof attentionReasons)[number];
