/** Version of a package that upstream lists. */
export interface UpstreamRelease {
  readonly version: string;
  /** ISO 8601 in UTC; null if upstream does not show it. */
  readonly published_at: string | null;
  /** True if the version is yanked or deprecated. */
  readonly isWithdrawn: boolean;
}
