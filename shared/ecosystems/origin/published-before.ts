import type { Publication } from '../../domain/facts/release-details.ts';
import { isPackageVersion } from '../../domain/packages/package-version.ts';
import type { Ecosystem } from '../ecosystem.ts';
import { cleanTime } from './upstream-answer.ts';

/**
 * Returns the last version that was published before a time; null if there is none, undefined if times are unknown. A
 * version may have several times, of which the first counts.
 */
export const findPublishedBefore = (
  ecosystem: Ecosystem,
  times: readonly (readonly [version: string, at: unknown])[],
  publishedAt: unknown,
): Publication | null | undefined => {
  const own = cleanTime(publishedAt);
  if (own === null || times.length === 0) return undefined;
  const first = new Map<string, string>();
  for (const [version, time] of times) {
    const at = cleanTime(time);
    const known = first.get(version);
    if (at !== null && (known === undefined || at < known)) first.set(version, at);
  }
  let previous: Publication | null = null;
  for (const [version, published_at] of first) {
    const isLater = previous === null || published_at > previous.published_at;
    if (published_at < own && isLater && isPackageVersion(ecosystem, version)) {
      previous = { version, published_at };
    }
  }
  // A version without a time may be an earlier one.
  const isFirst = times.every(([version]) => first.has(version));
  return previous ?? (isFirst ? null : undefined);
};
