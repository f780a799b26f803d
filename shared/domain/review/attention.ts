/** Reasons for a person to review an approved version again. */
export const attentionReasons = [
  'scan_failed',
  'content_changed',
  'removed',
  'yanked',
  'deprecated',
] as const;

export type AttentionReason = (typeof attentionReasons)[number];
