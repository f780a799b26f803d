import { groupBy } from '../../util/group-by.ts';
import { type PackageId, toPackageKey, toVersionKey } from '../packages/package-id.ts';
import { compareByEcosystem, findHighest } from '../packages/version-order.ts';

/** Pending update that the registry submitted. */
export interface PendingUpdate extends PackageId {
  /** True for a security fix. */
  readonly isFix: boolean;
}

/** Updates of which each has a newer pending one: reviewers need the newer one alone. */
export interface OlderUpdates {
  /** Returns the newer update of an older one; undefined for all other versions. */
  readonly findNewer: (id: PackageId) => string | undefined;
  /** Returns the older updates of a version, lowest version first. */
  readonly listOlder: (id: PackageId) => readonly string[];
  /** The older updates. */
  readonly all: readonly PendingUpdate[];
}

/** Pairs the older updates of one package with the newest. The newer version of a security fix is the newest fix. */
const pairVersions = (
  updates: readonly PendingUpdate[],
): { readonly older: PendingUpdate; readonly newer: string }[] => {
  const findNewest = (some: readonly PendingUpdate[]) =>
    some[0] &&
    findHighest(
      some[0].ecosystem,
      some.map(({ version }) => version),
    );
  const newest = findNewest(updates);
  const newestFix = findNewest(updates.filter(({ isFix }) => isFix));
  return updates.flatMap((older) => {
    const newer = older.isFix ? newestFix : newest;
    return newer === undefined || newer === older.version ? [] : [{ older, newer }];
  });
};

/** No older updates. */
export const noOlderUpdates: OlderUpdates = {
  findNewer: () => undefined,
  listOlder: () => [],
  all: [],
};

/**
 * Returns the older ones of pending updates. An update is older if a higher version of its package is among them, in any major
 * version. A security fix is older only if a higher security fix is.
 */
export const findOlderUpdates = (updates: readonly PendingUpdate[]): OlderUpdates => {
  const packages = groupBy(updates, ({ ecosystem, name }) => toPackageKey(ecosystem, name));
  const pairs = [...packages.values()].flatMap(pairVersions);
  const newerOf = new Map(pairs.map(({ older, newer }) => [toVersionKey(older), newer]));
  const olderOf = groupBy(pairs, ({ older, newer }) => toVersionKey({ ...older, version: newer }));
  return {
    findNewer: (id) => newerOf.get(toVersionKey(id)),
    listOlder: (id) => {
      const versions = (olderOf.get(toVersionKey(id)) ?? []).map(({ older }) => older.version);
      return versions.toSorted((one, other) => compareByEcosystem(id.ecosystem, one, other));
    },
    all: pairs.map(({ older }) => older),
  };
};
