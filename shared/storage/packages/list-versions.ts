import { showAt } from '../../domain/review/expiry.ts';
import {
  findNewestVersions,
  findVersions,
  rowsAtATime,
  selectVersion,
  type VersionSelector,
} from './find-versions.ts';
import { type PackageItem, toListItem } from './package-item.ts';
import { readVersionCount } from './version-counts.ts';

/** Part of a list of versions: after the first `offset` ones, and at most `limit`. */
interface PageRange {
  readonly limit: number;
  readonly offset: number;
}

/** One page of versions, and the number of all matches. */
interface VersionPage {
  readonly versions: PackageItem[];
  readonly total: number;
}

/** Returns a page of versions of one status. No counter has their number, so all of them are read. */
const findPageOfStatus = async (
  selector: VersionSelector,
  { limit, offset }: PageRange,
): Promise<VersionPage> => {
  const versions = await findNewestVersions(selector, Number.POSITIVE_INFINITY);
  return { versions: versions.slice(offset, offset + limit), total: versions.length };
};

/** Returns a page near the newest version. `readCount` may run in parallel. */
const findNewestPage = async (
  selector: VersionSelector,
  { limit, offset }: PageRange,
  readCount: () => Promise<number>,
): Promise<VersionPage> => {
  const end = offset + limit;
  const [versions, count] = await Promise.all([findNewestVersions(selector, end), readCount()]);
  // A version may have been submitted between the two reads.
  const total = versions.length < end ? versions.length : Math.max(count, end);
  return { versions: versions.slice(offset), total };
};

/** Returns a page from the nearer end of the list: of 1,000 versions, at most half are read and skipped. */
const findDeepPage = async (selector: VersionSelector, range: PageRange): Promise<VersionPage> => {
  const { limit, offset } = range;
  const total = await readVersionCount(selector);
  // Versions that are submitted from now on change no position from the oldest one on.
  const left = total - offset;
  if (left <= 0) return { versions: [], total };
  if (left > offset + limit) return findNewestPage(selector, range, async () => total);
  const versions = await findVersions(selector, left, { isAscending: true });
  return { versions: versions.slice(0, limit), total };
};

const findPage = (selector: VersionSelector, range: PageRange): Promise<VersionPage> => {
  if (selector.status !== undefined) return findPageOfStatus(selector, range);
  return range.offset < rowsAtATime
    ? findNewestPage(selector, range, () => readVersionCount(selector))
    : findDeepPage(selector, range);
};

/** Returns one page of a package's versions, newest first. An empty page means that no version matches the filter. */
export const listVersions = async (selector: VersionSelector, range: PageRange) => {
  const { versions, total } = await findPage(selector, range);
  if (total === 0) await selectVersion({ name: selector.name });
  const now = new Date();
  return { packages: versions.map((version) => toListItem(showAt(version, now))), total };
};
