/** The tables' content after submissions and decisions, made by the store's own builders. */

import { normalizeLicense } from '../../shared/domain/licenses/normalize/normalize-license.ts';
import { unscanned } from '../../shared/domain/vulnerabilities/scan-summary.ts';
import { changeCounts } from '../../shared/storage/catalogue/counters.ts';
import { toFacet } from '../../shared/storage/catalogue/facets.ts';
import { defaultLayout } from '../../shared/storage/catalogue/layout.ts';
import { makeRows } from '../../shared/storage/catalogue/rows.ts';
import type { StoredItem } from '../../shared/storage/dynamodb/table.ts';
import { makeWriteId } from '../../shared/storage/dynamodb/transact.ts';
import type { Write } from '../../shared/storage/dynamodb/write.ts';
import { toPackageItem, type VersionDetail } from '../../shared/storage/packages/package-item.ts';
import { countNewVersion } from '../../shared/storage/packages/version-counts.ts';
import { formatSequenceNumber } from '../../shared/storage/packages/version-keys.ts';
import { markVersion } from '../../shared/storage/packs/pack-items.ts';
import { toRefreshFields } from '../../shared/storage/reviews/due-refreshes.ts';
import {
  notEvaluated,
  toReviewStateKey,
  toReviewStatus,
} from '../../shared/storage/reviews/review-state.ts';
import type { RealisticPackage } from '../support/realistic-packages.ts';

/** The tables with the data. Decision records have a separate table, which no list and no search reads. */
export const storedTables = ['packages', 'catalogue', 'reviews'] as const;
export type StoredTable = (typeof storedTables)[number];

export type StoredItems = Readonly<Record<StoredTable, readonly StoredItem[]>>;

const firstSubmission = Date.UTC(2024, 0, 1);
const minuteMs = 60_000;

/** The token label of all submissions. */
export const submitter = { label: 'ci', fingerprint: 'c0ffee0123456789' };

/** The token label of all decisions. */
export const reviewer = 'security-team';

/** Returns the normalization of a license, if it is more than one identifier. */
const normalize = (license: string | null | undefined): Pick<VersionDetail, 'normalization'> => {
  const normalization = license ? normalizeLicense(license) : undefined;
  return normalization === undefined ? {} : { normalization };
};

const submitted = ({ submission }: RealisticPackage, sequence: number): VersionDetail => ({
  name: submission.name,
  version: submission.version,
  ecosystem: submission.ecosystem,
  status: 'pending',
  license: submission.license ?? null,
  ...normalize(submission.license),
  description: submission.description ?? null,
  homepage: submission.homepage ?? null,
  repository: submission.repository ?? null,
  submitted_by: submission.submitted_by ?? null,
  submitted_token_label: submitter.label,
  submitted_at: new Date(firstSubmission + sequence * minuteMs).toISOString(),
  approved_by: null,
  approved_token_label: null,
  approved_at: null,
  rejected_by: null,
  rejected_token_label: null,
  rejected_at: null,
  reason: null,
  expires_at: null,
  previous: null,
});

const decided = (before: VersionDetail, { decision }: RealisticPackage): VersionDetail => {
  if (!decision) return before;
  const { to, by, reason } = decision;
  const at = before.submitted_at;
  return {
    ...before,
    ...(to === 'approved'
      ? { approved_by: by, approved_token_label: reviewer, approved_at: at }
      : { rejected_by: by, rejected_token_label: reviewer, rejected_at: at }),
    status: to,
    reason,
  };
};

/** As long as the names of real transactions. */
const writeId = makeWriteId();

const target = { layout: defaultLayout, shard: 0 };

/** Adds up the counters of one table over submissions and decisions. */
export const createCounters = () => {
  const counters = new Map<string, Record<string, unknown>>();
  const apply = ({ operation }: Write): void => {
    const key = JSON.stringify(operation.Update?.Key);
    const counter = counters.get(key) ?? { ...operation.Update?.Key };
    counters.set(key, counter);
    for (const [alias, name] of Object.entries(operation.Update?.ExpressionAttributeNames ?? {})) {
      const by = operation.Update?.ExpressionAttributeValues?.[alias.replace('#', ':')];
      counter[name] = Number(counter[name] ?? 0) + Number(by);
    }
    // Without a time, the last change is long ago.
    const id = operation.Update?.ExpressionAttributeValues?.[':i'];
    if (id !== undefined) counter['i'] ??= id;
  };
  return {
    add: (writes: readonly Write[]): void => writes.forEach(apply),
    items: (): StoredItem[] => [...counters.values()],
  };
};

const note = {
  submitter_fingerprint: submitter.fingerprint,
};

/** The items of each version, then the counters. */
export function* storedItems(packages: Iterable<RealisticPackage>): Generator<StoredItems> {
  const counters = createCounters();
  const versionCounts = createCounters();
  let sequence = 0;
  for (const realistic of packages) {
    sequence += 1;
    const before = submitted(realistic, sequence);
    const after = decided(before, realistic);
    versionCounts.add([countNewVersion(before)]);
    counters.add(changeCounts(sequence, { [toFacet(before)]: 1 }, target));
    if (realistic.decision) {
      const changes = { [toFacet(before)]: -1, [toFacet(after)]: 1 };
      counters.add(changeCounts(sequence, changes, target));
    }
    const version = { ...after, sequence };
    const revision = realistic.decision ? 1 : 0;
    const standing = { ...toReviewStateKey(after), ...toReviewStatus(after, revision) };
    yield {
      packages: [
        {
          ...toPackageItem(after, { sequence: formatSequenceNumber(sequence), writeId, note }),
          revision,
          ...(realistic.decision && { pinned: null }),
        },
      ],
      catalogue: makeRows(version, defaultLayout).map((row) => ({ ...row })),
      reviews: [
        {
          ...standing,
          at: after.submitted_at,
          evidence_revision: 0,
          latest_scan_number: 0,
          ...unscanned,
          attention: null,
          ...notEvaluated,
          submitter: submitter.label,
          batches: [],
          // A decision ends a claim.
          ...(realistic.decision && { claim: null }),
          ...toRefreshFields(after, after.submitted_at),
        },
        ...(after.status === 'approved' ? markVersion(after, { revision }) : []).flatMap(
          ({ operation }) => operation.Put?.Item ?? [],
        ),
      ],
    };
  }
  yield {
    packages: [
      { name_key: '#sequence', version_key: '#sequence', count: sequence },
      ...versionCounts.items(),
    ],
    catalogue: counters.items(),
    reviews: [],
  };
}
