import type { VersionEvidence } from '../../api/schemas/evidence.ts';
import type { PackageName } from '../../domain/packages/package-id.ts';
import { canonicalizeVersion } from '../../domain/packages/package-version.ts';
import { decisions } from '../../domain/review/status.ts';
import { listRecords, type RecordItem } from '../../storage/decisions/records.ts';
import { hasReadUnits } from '../../storage/dynamodb/read-budget.ts';
import type { PackageItem } from '../../storage/packages/package-item.ts';

const mostDecisions = 10;

/** Number of latest records, without comments, that are searched for decisions. */
const recordsLookedAt = 50;

/** Number of records of each further call, and the maximum number of such calls. */
const furtherRecords = 200;
const mostFurtherCalls = 3;

/** Read units that must be left for a further call: DynamoDB's maximum of 1 MB, and as many for other reads. */
const unitsForCall = 512;

/** Returns the latest records of a package, with those on all of its versions, newest first. One call. */
export const listLatestRecords = ({ ecosystem, name }: PackageName): Promise<RecordItem[]> =>
  listRecords({ ecosystem, name }, { count: recordsLookedAt });

const isComment = ({ type }: RecordItem): boolean => type === 'package.commented';

/** Returns the decisions on other versions, newest first. */
const pickDecisions = (
  records: readonly RecordItem[],
  { ecosystem, version }: PackageItem,
): VersionEvidence['earlier'] => {
  const own = canonicalizeVersion(ecosystem, version);
  const taken = records.flatMap(({ type, version: other, at, by, token_label, reason }) => {
    const status = decisions.find((decision) => type === `package.${decision}`);
    if (!status || other === undefined || canonicalizeVersion(ecosystem, other) === own) return [];
    return [{ version: other, ecosystem, status, at, by, token_label, reason }];
  });
  return taken.slice(0, mostDecisions);
};

/**
 * Returns the latest decisions on other versions of a package, newest first: those among its 50 latest records besides comments.
 * Tokens may write many comments, so comments push no decision out: behind them, up to 600 more records are read. `latest` has
 * the latest records of the package.
 */
export const findEarlierDecisions = async (
  version: PackageItem,
  latest: readonly RecordItem[],
): Promise<VersionEvidence['earlier']> => {
  const { ecosystem, name } = version;
  let records = latest.filter((record) => !isComment(record));
  let before = latest.length < recordsLookedAt ? undefined : latest.at(-1)?.moment;
  for (let calls = 0; calls < mostFurtherCalls && before !== undefined; calls += 1) {
    const isFound = pickDecisions(records, version).length === mostDecisions;
    if (isFound || records.length >= recordsLookedAt || !hasReadUnits(unitsForCall)) break;
    const page = await listRecords({ ecosystem, name }, { before, count: furtherRecords });
    records = [...records, ...page.filter((record) => !isComment(record))];
    before = page.length < furtherRecords ? undefined : page.at(-1)?.moment;
  }
  return pickDecisions(records.slice(0, recordsLookedAt), version);
};
