/** Claim of a review: who looks at the version, and until when (ISO 8601). */
interface StoredClaim {
  readonly by: string | null;
  readonly until: string;
}

/** Returns the claim of a review that is in force at a time; null if there is none, or if it has ended. */
export const findClaim = (
  { claim }: { readonly claim?: StoredClaim | null },
  now: Date,
): StoredClaim | null =>
  claim && Date.parse(claim.until) > now.getTime() ? { by: claim.by, until: claim.until } : null;
