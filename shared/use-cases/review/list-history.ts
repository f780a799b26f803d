import { HistoryEntry, type HistoryPage } from '../../api/schemas/history.ts';
import { takeFitting } from '../../domain/answer-size.ts';
import { refuseUnknownPackage } from '../../domain/errors.ts';
import { listCandidateEcosystems, type PackageSelector } from '../../domain/packages/package-id.ts';
import { listRecords, type RecordItem, unknown } from '../../storage/decisions/records.ts';
import { logEvent } from '../../util/log.ts';

/** Returns a status; null for a version that a restore removed. */
const toStatus = (status: string | null): string | null => (status === unknown ? null : status);

/** Returns the history entry of a record. An unreadable record is logged and left out. */
const toEntry = (record: RecordItem): HistoryEntry[] => {
  const { data, error } = HistoryEntry.safeParse({
    id: record.id,
    type: record.type,
    at: record.at,
    ecosystem: record.ecosystem,
    name: record.name,
    version: record.version ?? null,
    by: record.by,
    token_label: record.token_label,
    from: record.acceptance === undefined ? toStatus(record.from) : null,
    to: record.acceptance === undefined ? toStatus(record.to) : null,
    reason: record.reason,
    justification: record.justification ?? null,
    rule: record.rule ?? null,
    overridden: record.overridden ?? [],
    expires_at: record.expires_at ?? null,
    scan: record.scan
      ? { tool: record.scan.tool, label: record.scan.label, number: record.scan.number }
      : null,
    acceptance:
      record.acceptance === undefined
        ? null
        : { vulnerability: record.vulnerability, number: record.acceptance },
    question: record.question ?? false,
    evidence: record.evidence ?? null,
  });
  if (data) return [data];
  logEvent('error', 'record_not_read', { record: record.id, error });
  return [];
};

const newestFirst = (one: RecordItem, other: RecordItem): number =>
  one.moment < other.moment ? 1 : -1;

/**
 * Returns a page of the history of a package, or of one version of it, newest first. The cost depends on the page's length
 * only.
 * @throws {RegistryError} `package_not_found` if the package has no history at all
 */
export const listHistory = async (
  selector: PackageSelector,
  { before, limit }: { readonly before?: string | undefined; readonly limit: number },
): Promise<HistoryPage> => {
  const lists = await Promise.all(
    listCandidateEcosystems(selector).map((ecosystem) =>
      // One record more than the page shows whether another page follows.
      listRecords({ ...selector, ecosystem }, { before, count: limit + 1 }),
    ),
  );
  const records = lists.flat().sort(newestFirst);
  if (records.length === 0 && before === undefined) throw refuseUnknownPackage(selector);
  const shown = takeFitting(records.slice(0, limit));
  return {
    history: shown.flatMap(toEntry),
    next: records.length > shown.length ? (shown.at(-1)?.moment ?? null) : null,
  };
};
