/** Why an approved version needs somebody to look at it. */
export const attentionReasons = ['scan_failed', 'republished', 'yanked', 'deprecated'] as const;

export type AttentionReason = (typeof attentionReasons)[number];
