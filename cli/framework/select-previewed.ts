import { PackageListItem } from '../../shared/api/schemas/package.ts';
import { PolicyPreviewResult } from '../../shared/api/schemas/policy.ts';
import { omitFields } from '../../shared/util/json.ts';
import { UsageError } from '../input/usage-error.ts';
import type { PackageEntry } from '../many/read-packages.ts';
import type { Terminal } from '../output/terminal.ts';

/** The fields of `policy test --jsonl` that do not identify a package version. */
const previewFields = Object.keys(PolicyPreviewResult.shape).filter(
  (field) => !(field in PackageListItem.shape),
);

const isPreview = ({ fields }: PackageEntry): boolean =>
  previewFields.every((name) => name in fields);

/**
 * Keeps the versions that the command's action fits, if the entries are the output of `policy test --jsonl`.
 * @throws {UsageError} if the action fits none of them
 */
export const selectPreviewed = (
  packages: readonly PackageEntry[],
  action: 'approve' | 'reject' | undefined,
  { warn }: Terminal,
): PackageEntry[] => {
  const isOther = (entry: PackageEntry): boolean =>
    isPreview(entry) && action !== undefined && entry.fields['decision'] !== action;
  const kept = packages.filter((entry) => !isOther(entry));
  const skipped = packages.length - kept.length;
  if (skipped > 0 && kept.length === 0) {
    throw new UsageError(`None of the ${skipped} packages has the decision ${action}.`);
  }
  if (skipped > 0) {
    warn(`Skipped ${skipped} of ${packages.length} packages: their decision is not ${action}.`);
  }
  return kept.map((entry) =>
    isPreview(entry) ? { ...entry, fields: omitFields(entry.fields, previewFields) } : entry,
  );
};
