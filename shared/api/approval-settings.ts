/** Settings that decide whether a version may be approved, together with its evidence. */
export const approvalPolicySettings = [
  'scanFailedFrom',
  'scanWarningFrom',
  'scanUnrated',
  'blockingIssues',
  'requireApprovedLicense',
  'minimumAgeDays',
] as const;

/** Settings that decide what a pending version waits for. */
export const awaitedSettings = ['osvScanning', 'collectFacts'] as const;

/** Settings of the evidence of a version. A spread in `routes.ts` would keep its route in the bundle of every function. */
export const evidenceSettings = [...approvalPolicySettings, ...awaitedSettings] as const;
