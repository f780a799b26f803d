import { type RegistryClient, RequestError } from '../../../shared/api/client/client.ts';
import { CheckRequest } from '../../../shared/api/schemas/check-request.ts';
import type { PackageDetail } from '../../../shared/api/schemas/package.ts';
import { maxChecked } from '../../../shared/domain/packages/check-limits.ts';
import { formatPackage } from '../../../shared/domain/packages/format-package.ts';
import type { JsonObject } from '../../../shared/util/json.ts';
import { splitInto } from '../../../shared/util/split-into.ts';
import { matchAnswers } from '../../failure/match-answers.ts';
import { formatCount } from '../../output/text.ts';
import { describeUnscanned } from '../../presentation/unscanned.ts';

const PackageToCheck = CheckRequest.shape.packages.element;

/** Versions beyond these are counted, and not named. */
const maxNamed = 3;

/** An item that `POST /check` takes. */
interface CheckableItem {
  readonly item: JsonObject;
  readonly sent: (typeof PackageToCheck)['_output'];
}

const listCheckable = (items: readonly JsonObject[]): CheckableItem[] =>
  items.flatMap((item) => {
    const { ecosystem, name, version } = item;
    const { data } = PackageToCheck.safeParse({ ecosystem, name, version });
    return data ? [{ item, sent: data }] : [];
  });

/** Returns the pending items without a finished scan. */
const findUnscanned = async (
  items: readonly JsonObject[],
  client: RegistryClient,
): Promise<ReadonlySet<JsonObject>> => {
  const unscanned = new Set<JsonObject>();
  for (const batch of splitInto(maxChecked, listCheckable(items))) {
    // Allowing pending versions saves the registry the search for the nearest approved version.
    const body = { packages: batch.map(({ sent }) => sent), allow: ['pending' as const] };
    const answer = await client.checkPackages({ body });
    for (const [{ item }, { reasons }] of matchAnswers(batch, answer.packages)) {
      if (reasons.some(({ code }) => code === 'scan_missing')) unscanned.add(item);
    }
  }
  return unscanned;
};

const describeUnscannedItems = (items: readonly JsonObject[]): string => {
  const named = items.slice(0, maxNamed).map(formatPackage);
  const more = items.length - named.length;
  const names = [...named, ...(more > 0 ? [`${formatCount(more)} more`] : [])].join(', ');
  const have = items.length === 1 ? 'version has' : 'versions have';
  return `${formatCount(items.length)} approved ${have} no finished scan: vulnerabilities are not known (${names}).`;
};

/**
 * Reads which of many versions have no finished scan, before they are approved: one request for 1,000 versions. Approved
 * versions would need one request each. A failure of this check does not stop the approval.
 * @returns a function that describes the approved versions without a finished scan
 */
export const prepareScanWarning = async (
  items: readonly JsonObject[],
  client: RegistryClient,
): Promise<(done: readonly JsonObject[]) => string | undefined> => {
  try {
    const unscanned = await findUnscanned(items, client);
    return (done) => {
      const approved = done.filter((item) => unscanned.has(item));
      return approved.length > 0 ? describeUnscannedItems(approved) : undefined;
    };
  } catch (error) {
    if (!(error instanceof RequestError)) throw error;
    return (done) => (done.length > 0 ? `Their scans cannot be read: ${error.detail}` : undefined);
  }
};

/**
 * Returns the warning about an approved version without a finished scan; undefined if its scan has finished. A failure to
 * read the scan is a warning, too: the approval is done.
 */
export const findMissingScan = async (
  { name, version, ecosystem }: PackageDetail,
  client: RegistryClient,
): Promise<string | undefined> => {
  const title = formatPackage({ ecosystem, name, version });
  try {
    const scan = await client.showScan({ path: { name }, query: { ecosystem, version } });
    return describeUnscanned(title, scan);
  } catch (error) {
    if (!(error instanceof RequestError)) throw error;
    if (error.code === 'scan_not_found') return describeUnscanned(title, null);
    return `The scan of ${title} cannot be read: ${error.detail}`;
  }
};
