import type {
  LicenseVersionPage,
  LicenseVersionsQuery,
} from '../../api/schemas/license-versions.ts';
import { refuseInvalid } from '../../domain/errors.ts';
import { toLicenseKey } from '../../domain/licenses/license-terms.ts';
import { parseTerm } from '../../domain/licenses/parse-license.ts';
import { parseVersionKey } from '../../storage/packages/parse-version-key.ts';
import { readReviewRows } from '../../storage/reviews/read-review-rows.ts';
import { toLicensePartition } from '../../storage/reviews/review-lists.ts';
import { findRowOwner, type ReviewRow } from '../../storage/reviews/review-rows.ts';

/** Maximum number of rows that a request looks at: about 28 read units. */
const mostLookedAt = 2000;

type Listed = LicenseVersionPage['packages'][number];

/** Returns the version of a row; nothing for a damaged row. */
const toListed = ({ k, status }: ReviewRow): Listed[] => {
  const id = parseVersionKey(findRowOwner(k));
  return id ? [{ ...id, status }] : [];
};

const toPartition = (name: string): string => {
  const term = parseTerm(name);
  if (term) return toLicensePartition(toLicenseKey(term));
  throw refuseInvalid(
    'name',
    'must be one license: list the versions of each license of an expression by itself',
  );
};

/**
 * Returns a page of the versions that state a license, by package. Reads rows alone: half a read unit for about 35 versions.
 * @throws {RegistryError} `validation_failed` for an expression of several licenses
 */
export const listLicenseVersions = async (
  name: string,
  { status, after, limit }: LicenseVersionsQuery,
): Promise<LicenseVersionPage> => {
  const partition = toPartition(name);
  const packages: Listed[] = [];
  let looked_at = 0;
  let place = after === undefined ? undefined : `#${after}`;
  let hasMore = true;
  while (hasMore && packages.length < limit && looked_at < mostLookedAt) {
    const wanted = status === undefined ? limit - packages.length : limit;
    const page = await readReviewRows({ partition }, { after: place, limit: wanted });
    const rows = page.rows.filter((row) => status === undefined || row.status === status);
    const taken = rows.slice(0, limit - packages.length);
    packages.push(...taken.flatMap(toListed));
    looked_at += page.rows.length;
    // A cut page continues after the last row that it has.
    const isCut = taken.length < rows.length;
    place = (isCut ? taken : page.rows).at(-1)?.k ?? place;
    hasMore = isCut || page.hasMore;
  }
  return { packages, looked_at, next: hasMore && place !== undefined ? place.slice(1) : null };
};
