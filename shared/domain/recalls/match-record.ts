import type { Ecosystem } from '../../ecosystems/ecosystem.ts';
import { versionOrders } from '../../ecosystems/rules.ts';
import type { VersionOrder } from '../../ecosystems/text-rule.ts';
import type { PackageId } from '../packages/package-id.ts';
import { canonicalizeName } from '../packages/package-name.ts';

/** Interval of affected versions. Its start is `0` for the first version; its end is open without `fixed` and `last_affected`. */
export interface RecordRange {
  readonly introduced: string;
  readonly fixed: string | null;
  readonly last_affected: string | null;
}

/** Package that a record names, with its versions as the record spells them. */
export interface RecordPackage {
  readonly ecosystem: Ecosystem;
  /** Canonical spelling. */
  readonly name: string;
  readonly versions: readonly string[];
  readonly ranges: readonly RecordRange[];
}

/** Record of a malware feed. */
export interface MalwareRecord {
  readonly id: string;
  readonly summary: string | null;
  readonly published: string | null;
  readonly modified: string;
  readonly withdrawn: string | null;
  readonly affected: readonly RecordPackage[];
}

/**
 * How a record names a version: exactly, by a range with an end or a start other than 0, or by a bare range that names every
 * version. A bare range beside exact versions or another range is `leftover`: it stays on many records after an attack, and then
 * names the fix, too.
 */
export type RecordMatch = 'exact' | 'range' | 'bare' | 'leftover';

/** Normalized versions of each list, so that many versions of a package compare with a long list in linear time. */
const normalizedLists = new WeakMap<readonly string[], ReadonlySet<string>>();

const normalizeBy = (order: VersionOrder | null, version: string): string =>
  order?.normalize(version) ?? version.trim();

const normalizeList = (
  order: VersionOrder | null,
  versions: readonly string[],
): ReadonlySet<string> => {
  const known = normalizedLists.get(versions);
  if (known) return known;
  const normalized = new Set(versions.map((version) => normalizeBy(order, version)));
  normalizedLists.set(versions, normalized);
  return normalized;
};

/** True if a range starts with the first version. `0.0.0` and `0.0.0-0` mean the same as `0`. */
const startsAtZero = (introduced: string): boolean =>
  /^v?0+(?:\.0+)*(?:-0)?$/.test(introduced.trim());

/** Reads a bound: a version, null for none, and undefined for text that is no version. */
const readBound = (order: VersionOrder, bound: string | null): string | null | undefined =>
  bound === null ? null : order.normalize(bound);

/**
 * Returns how a range names a version. A bound that is no version limits nothing, and the range then counts as bare: only
 * people can know its meaning.
 */
const matchRange = (
  order: VersionOrder,
  { introduced, fixed, last_affected }: RecordRange,
  version: string,
): RecordMatch | undefined => {
  const from = startsAtZero(introduced) ? null : order.normalize(introduced);
  const before = readBound(order, fixed);
  const upTo = readBound(order, last_affected);
  if (from && order.compare(version, from) < 0) return undefined;
  if (before && order.compare(version, before) >= 0) return undefined;
  if (upTo && order.compare(version, upTo) > 0) return undefined;
  const bounds = [from, before, upTo];
  return bounds.some(Boolean) && !bounds.includes(undefined) ? 'range' : 'bare';
};

/** True if a range names every version. */
const isBare = ({ introduced, fixed, last_affected }: RecordRange): boolean =>
  startsAtZero(introduced) && fixed === null && last_affected === null;

const matchPackage = (
  { versions, ranges }: RecordPackage,
  { ecosystem, version }: PackageId,
): readonly (RecordMatch | undefined)[] => {
  const order = versionOrders[ecosystem];
  const normalized = normalizeBy(order, version);
  if (normalizeList(order, versions).has(normalized)) return ['exact'];
  if (!order) return [];
  return ranges.map((range) => {
    const match = matchRange(order, range, normalized);
    const hasMore = ranges.some((other) => other !== range && !isBare(other));
    return match === 'bare' && (versions.length > 0 || hasMore) ? 'leftover' : match;
  });
};

const strongestFirst: readonly RecordMatch[] = ['exact', 'range', 'bare', 'leftover'];

/**
 * Returns the strongest way in which a record names a package version. Undefined if the record does not name it, or is
 * withdrawn. Versions compare by the rules of their ecosystem, in any spelling.
 */
export const matchRecord = (record: MalwareRecord, id: PackageId): RecordMatch | undefined => {
  if (record.withdrawn !== null) return undefined;
  const name = canonicalizeName(id.ecosystem, id.name);
  const matches = record.affected
    .filter((entry) => entry.ecosystem === id.ecosystem && entry.name === name)
    .flatMap((entry) => matchPackage(entry, id));
  return strongestFirst.find((match) => matches.includes(match));
};
