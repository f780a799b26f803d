/** Permissions and limits that routes of several files have. */

/** Maximum body size of a request with many items, in bytes. */
export const manyMaxBytes = 1_048_576;

/** Actions that select one version of a name. Each filter has its own index. */
export const versionSelection = [
  'Query',
  'QueryIndex:by-sequence',
  'QueryIndex:by-ecosystem',
  'QueryIndex:by-status',
  'QueryIndex:by-ecosystem-and-status',
] as const;

/** Settings of writes that change which findings count. */
export const findingSettings = [
  'requireTokens',
  'scanFailedFrom',
  'scanWarningFrom',
  'scanUnrated',
] as const;
