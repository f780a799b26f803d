import { compareOrder } from '../../util/compare-order.ts';
import { groupBy } from '../../util/group-by.ts';
import { type PackageId, toVersionKey } from '../packages/package-id.ts';
import { canonicalizeName } from '../packages/package-name.ts';
import { canonicalizeVersion } from '../packages/package-version.ts';
import { maxVersionFiles } from './project-limits.ts';

/** Package version that a project uses. Name and version have their canonical spelling. */
export interface SnapshotVersion extends PackageId {
  /** True if the project requires the version itself, false if only its dependencies do; null if no file shows it. */
  readonly direct: boolean | null;
  /** Dependency files of the project that list the version; the first ones by name. */
  readonly files: readonly string[];
}

/** Package version as a request lists it, in any spelling. */
export interface RecordedVersion extends PackageId {
  readonly direct?: boolean | null | undefined;
  readonly files?: readonly string[] | null | undefined;
}

/** A version is direct if one of its files says so. Otherwise, a file without this information leaves it open. */
const mergeDirect = (all: readonly RecordedVersion[]): boolean | null => {
  if (all.some(({ direct }) => direct === true)) return true;
  return all.every(({ direct }) => direct === false) ? false : null;
};

const merge = ([first, ...others]: readonly RecordedVersion[]): SnapshotVersion[] => {
  if (!first) return [];
  const { ecosystem } = first;
  const all = [first, ...others];
  const files = new Set(all.flatMap((one) => one.files ?? []));
  return [
    {
      ecosystem,
      name: canonicalizeName(ecosystem, first.name),
      version: canonicalizeVersion(ecosystem, first.version),
      direct: mergeDirect(all),
      files: [...files].sort(compareOrder).slice(0, maxVersionFiles),
    },
  ];
};

/** Returns the versions of a snapshot: each version once in its canonical spelling, sorted by its key. */
export const normalizeSnapshot = (listed: readonly RecordedVersion[]): SnapshotVersion[] =>
  [...groupBy(listed, toVersionKey)]
    .sort(([one], [other]) => compareOrder(one, other))
    .flatMap(([, same]) => merge(same));

/**
 * Returns the canonical JSON of a snapshot, whose SHA-256 is the digest: members in the order of their names, no blanks. Owner,
 * time and commit are no part of it, so that a change of the owner leaves digests valid.
 */
export const formatSnapshot = (versions: readonly SnapshotVersion[]): string =>
  JSON.stringify(
    versions.map(({ ecosystem, name, version, direct, files }) => ({
      direct,
      ecosystem,
      files,
      name,
      version,
    })),
  );
