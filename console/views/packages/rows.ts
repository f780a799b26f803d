import type { RegistryClient } from '../../../shared/api/client/operations.ts';
import type { AttentionPage } from '../../../shared/api/schemas/attention.ts';
import type { ListedPage, ListedVersion } from '../../../shared/api/schemas/listed.ts';
import { type Status, statuses } from '../../../shared/domain/review/status.ts';
import { describeActor } from '../../../shared/domain/tokens/describe-actor.ts';
import { ecosystems } from '../../../shared/ecosystems/ecosystem.ts';
import { toKey, type VersionId } from '../../address/address.ts';
import type { Filters } from './filters.ts';

/** The data of a row. */
export interface Row extends VersionId {
  readonly key: string;
  readonly status: Status;
  /** When the version was submitted, or began to need attention; null if unknown. */
  readonly at: string | null;
  readonly by: string | null;
  /** The effective license, `unreadable`, or the submitted license. */
  readonly license: string | null;
  readonly license_status: ListedVersion['license_status'];
  readonly scan: Pick<NonNullable<ListedVersion['scan']>, 'status' | 'severity'> | null;
  readonly issues: ListedVersion['issues'];
  readonly evidence_version: ListedVersion['evidence_version'];
  /** Why the version needs attention; null if it does not. */
  readonly reasons: AttentionPage['attention'][number]['reasons'] | null;
  /** Why the registry submitted the version itself; null if a request submitted it. */
  readonly automatic: ListedVersion['automatic'];
  /** The newer pending update that replaces this one in the queue; null without one. */
  readonly newer: string | null;
  /** The older updates that this version replaces in the queue. */
  readonly older: readonly string[];
  /** The record that recalled a version that needs attention; null otherwise. */
  readonly record: string | null;
}

/** A page of rows. */
export interface RowPage {
  readonly rows: readonly Row[];
  /** The total of the list; undefined if the registry does not count it. */
  readonly total: number | undefined;
  /** The number of older updates in the list; undefined if the registry does not count them. */
  readonly olderUpdates?: number | undefined;
  /** The cursor of the next page; null at the end, and for lists with offsets. */
  readonly next: string | null;
}

/** The most versions that the registry returns with `view=full`. */
const pageSize = 100;

/** Returns the license to show. The package's own license is used, even if it is not recognized. */
const chooseLicense = ({ license, license_status, effective_license }: ListedVersion) =>
  effective_license ?? (license_status === 'unreadable' ? license_status : license);

const toRow = (listed: ListedVersion): Row => {
  const { ecosystem, name, version, status, license_status, scan } = listed;
  const { issues, evidence_version, automatic } = listed;
  const { submitted_by, submitted_token_label: token_label } = listed;
  return {
    ...{ ecosystem, name, version, status, license_status, scan },
    license: chooseLicense(listed),
    ...{ issues, evidence_version },
    ...{ key: toKey(listed), at: listed.submitted_at, reasons: null, record: null },
    by: describeActor({ by: submitted_by, token_label }),
    ...{ automatic, newer: listed.newer_update, older: listed.older_updates },
  };
};

const isFull = (listed: ListedPage['packages'][number]): listed is ListedVersion =>
  'issues' in listed;

type ListQuery = NonNullable<NonNullable<Parameters<RegistryClient['listPackages']>[0]>['query']>;

const chosen = <T extends string>(values: readonly T[], value: string): T | undefined =>
  values.find((one) => one === value);

const toQuery = ({ search, ecosystem, status, sort }: Filters): ListQuery => ({
  ...(search.trim() !== '' && { search: search.slice(0, 100) }),
  ecosystem: chosen(ecosystems, ecosystem),
  status: chosen(statuses, status),
  sort: chosen(['-submitted_at'], sort),
});

/** Reads a page of a list of versions. */
export const readListed = async (
  api: RegistryClient,
  filters: Filters,
  { offset, signal }: { readonly offset: number; readonly signal: AbortSignal },
): Promise<RowPage> => {
  const query: ListQuery = { ...toQuery(filters), view: 'full', limit: pageSize, offset };
  const { packages, total, older_updates } = await api.listPackages({ query }, { signal });
  // A decision during the request may change the status of a listed version.
  const matches = (row: Row): boolean => filters.status === '' || row.status === filters.status;
  const rows = packages.filter(isFull).map(toRow).filter(matches);
  return { rows, total, olderUpdates: older_updates, next: null };
};

/** The most requests for one page of a batch: each looks at 500 versions, of which none may match. */
const mostRequests = 20;

/** Reads a page of a batch, after a cursor. The registry does not count a batch. */
export const readBatch = async (
  api: RegistryClient,
  { batch, ecosystem, status, search }: Filters,
  { after, signal }: { readonly after: string | null; readonly signal: AbortSignal },
): Promise<RowPage> => {
  const query = {
    ...{ batch, ecosystem: chosen(ecosystems, ecosystem) },
    status: chosen(statuses, status) ?? ('all' as const),
  };
  const wanted = search.trim().toLowerCase();
  let next = after;
  for (let requests = 1; ; requests += 1) {
    const input = { query: { ...query, ...(next !== null && { after: next }) } };
    const page = await api.listReviews(input, { signal });
    const rows = page.reviews.map(toRow).filter(({ name }) => name.toLowerCase().includes(wanted));
    next = page.next;
    if (rows.length > 0 || next === null || requests === mostRequests) {
      return { rows, total: undefined, next };
    }
  }
};

/** Reads the first page of versions that need attention. The registry has no filters for it. */
export const readAttention = async (
  api: RegistryClient,
  { search, ecosystem }: Filters,
  signal: AbortSignal,
): Promise<RowPage> => {
  const { attention } = await api.listAttention({ query: { limit: pageSize } }, { signal });
  const rows = attention
    .filter((one) => ecosystem === '' || one.ecosystem === ecosystem)
    .filter((one) => one.name.toLowerCase().includes(search.trim().toLowerCase()))
    .map(
      ({ severity, since, reasons, recall: record, ...id }): Row => ({
        ...id,
        ...{ key: toKey(id), at: since, by: null, reasons, record },
        status: record === null ? 'approved' : 'rejected',
        ...{ license: null, license_status: null, issues: [], evidence_version: null },
        ...{ automatic: null, newer: null, older: [] },
        scan: reasons.includes('scan_failed') ? { status: 'failed', severity } : null,
      }),
    );
  return { rows, total: undefined, next: null };
};
