import type { RegistryClient } from '../../../shared/api/client/operations.ts';
import type { AttentionPage } from '../../../shared/api/schemas/attention.ts';
import type { ListedPage, ListedVersion } from '../../../shared/api/schemas/listed.ts';
import { statedStatuses } from '../../../shared/domain/licenses/license-status.ts';
import { issueCodes } from '../../../shared/domain/review/approval.ts';
import { attentionReasons } from '../../../shared/domain/review/attention.ts';
import { submissionCauses } from '../../../shared/domain/review/automatic-submission.ts';
import { type Status, statuses } from '../../../shared/domain/review/status.ts';
import { describeSubmitter } from '../../../shared/domain/tokens/describe-actor.ts';
import { severities } from '../../../shared/domain/vulnerabilities/severity.ts';
import { ecosystems } from '../../../shared/ecosystems/ecosystem.ts';
import { toKey, type VersionId } from '../../address/version-id.ts';
import type { ReviewsQuery } from '../../decisions/approve-all.ts';
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
  /** The number of versions that the registry looked at; undefined if it counts the list. */
  readonly lookedAt?: number | undefined;
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
    by: describeSubmitter({ by: submitted_by, token_label }),
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

/** The position of a page of a list without a total. */
interface CursorPosition {
  readonly after: string | null;
  readonly signal: AbortSignal;
}

const isNumber = (text: string): boolean => /^[0-9]{1,4}$/.test(text);

/** The longest name of a submitter that the registry takes. */
const maxNameLength = 200;

/** Returns the query of the list of reviews for some filters. */
export const toReviewsQuery = (filters: Filters, label: string | undefined): ReviewsQuery => {
  const { batch, submitter, age, demand, sort, status } = filters;
  const isPart = label !== undefined || batch !== '';
  const order = label !== undefined && sort === '' ? '-submitted_at' : sort;
  return {
    ...(batch !== '' && { batch }),
    ...(label !== undefined && { label }),
    ...(isPart && { status: chosen(statuses, status) ?? 'all' }),
    ecosystem: chosen(ecosystems, filters.ecosystem),
    issue: chosen([...issueCodes, 'none'], filters.issue),
    severity: chosen(severities, filters.severity),
    license_status: chosen(statedStatuses, filters.license_status),
    cause: chosen(submissionCauses, filters.cause),
    ...(submitter !== '' && { submitter: submitter.slice(0, maxNameLength) }),
    ...(isNumber(age) && { waiting_days: Number(age) }),
    ...(isNumber(demand) && { demand: Number(demand) }),
    sort: chosen(isPart ? ['-submitted_at'] : ['-submitted_at', 'severity', 'demand'], order),
  };
};

/** Reads a page of the list of reviews after a cursor. A page may have few rows, or none, while the list continues. */
export const readReviews = async (
  api: RegistryClient,
  { filters, label }: { readonly filters: Filters; readonly label: string | undefined },
  { after, signal }: CursorPosition,
): Promise<RowPage> => {
  const query = { ...toReviewsQuery(filters, label), ...(after !== null && { after }) };
  const { reviews, looked_at, next } = await api.listReviews({ query }, { signal });
  const wanted = filters.search.trim().toLowerCase();
  const rows = reviews.map(toRow).filter(({ name }) => name.toLowerCase().includes(wanted));
  return { rows, total: undefined, lookedAt: looked_at, next };
};

/** Reads a page of versions that need attention, after a cursor. */
export const readAttention = async (
  api: RegistryClient,
  { search, ecosystem, reason }: Filters,
  { after, signal }: CursorPosition,
): Promise<RowPage> => {
  const query = {
    ...(search.trim() !== '' && { search: search.slice(0, 100) }),
    ecosystem: chosen(ecosystems, ecosystem),
    reason: chosen(attentionReasons, reason),
    limit: pageSize,
    ...(after !== null && { after }),
  };
  const { attention, looked_at, next } = await api.listAttention({ query }, { signal });
  const rows = attention.map(
    ({ severity, since, reasons, recall: record, ...id }): Row => ({
      ...id,
      ...{ key: toKey(id), at: since, by: null, reasons, record },
      status: record === null ? 'approved' : 'rejected',
      ...{ license: null, license_status: null, issues: [], evidence_version: null },
      ...{ automatic: null, newer: null, older: [] },
      scan: reasons.includes('scan_failed') ? { status: 'failed', severity } : null,
    }),
  );
  return { rows, total: undefined, lookedAt: looked_at, next };
};
