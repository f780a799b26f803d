import type {
  LicenseVersionPage,
  LicenseVersionsQuery,
} from '../../api/schemas/license-versions.ts';
import { refuseInvalid } from '../../domain/errors.ts';
import { isCombination } from '../../domain/licenses/expression.ts';
import { toLicenseKey } from '../../domain/licenses/license-terms.ts';
import { readExpression } from '../../domain/licenses/normalize/normalize-expression.ts';
import { parseTerm } from '../../domain/licenses/parse-license.ts';
import { longestLicense } from '../../domain/licenses/readable-license.ts';
import { parseVersionKey } from '../../storage/packages/parse-version-key.ts';
import { readReviewRows } from '../../storage/reviews/read-review-rows.ts';
import { toLicensePartition } from '../../storage/reviews/review-lists.ts';
import { findRowOwner, type ReviewRow } from '../../storage/reviews/review-rows.ts';

/** Maximum number of rows that a request looks at: about 28 read units. */
const mostLookedAt = 2000;

/** Minimum number of rows of a call with a filter: few rows may match. */
const filteredRows = 250;

type Listed = LicenseVersionPage['packages'][number];

/** Returns the version of a row; nothing for a damaged row. */
const toListed = ({ k, status }: ReviewRow): Listed[] => {
  const id = parseVersionKey(findRowOwner(k));
  return id ? [{ ...id, status }] : [];
};

/** Returns the partition of a license, whose versions are listed by its normalized name. */
const toPartition = (name: string): string => {
  const written = parseTerm(name);
  const term = written && readExpression(written);
  if (!term || isCombination(term)) {
    throw refuseInvalid(
      'name',
      'must be one license: list the versions of each license of an expression by itself',
    );
  }
  const key = toLicenseKey(term);
  // No version is listed by a longer name, which might not fit into a key.
  if (key.length <= longestLicense) return toLicensePartition(key);
  throw refuseInvalid('name', `must be at most ${longestLicense} characters`);
};

/**
 * Returns a page of the versions that state a license, by package. Reads rows alone: half a read unit for about 35 versions.
 * @throws {RegistryError} `validation_failed` for an expression of several licenses, and for a name that is too long
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
    const wanted = status === undefined ? limit - packages.length : Math.max(limit, filteredRows);
    const page = await readReviewRows({ partition }, { after: place, limit: wanted });
    const rows = page.rows.flatMap((row, at) =>
      status === undefined || row.status === status
        ? toListed(row).map((listed) => ({ listed, at }))
        : [],
    );
    const taken = rows.slice(0, limit - packages.length);
    packages.push(...taken.map(({ listed }) => listed));
    // A cut page continues after the last version that it has.
    const isCut = taken.length < rows.length;
    const passed = isCut ? page.rows.slice(0, (taken.at(-1)?.at ?? 0) + 1) : page.rows;
    looked_at += passed.length;
    place = passed.at(-1)?.k ?? place;
    hasMore = isCut || page.hasMore;
  }
  return { packages, looked_at, next: hasMore && place !== undefined ? place.slice(1) : null };
};
