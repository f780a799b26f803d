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

/** Explains that an approval pinned no files, and how to pin the present ones. */
export const unpinnedReason =
  'The approval of this version pinned no files, so that the gate serves none. To pin the present files, review them and confirm the approval with keep.';
