import { toVersionKey } from '../../../shared/domain/packages/package-id.ts';
import { severities } from '../../../shared/domain/vulnerabilities/severity.ts';
import type { StoredItem } from '../../../shared/storage/dynamodb/table.ts';

/** What a version is known to have, according to a test. */
export interface KnownVersion {
  readonly ecosystem: 'npm' | 'maven';
  readonly name: string;
  readonly version: string;
  readonly status: 'pending' | 'approved' | 'rejected';
  readonly has: readonly KnownVulnerability[];
}

export interface KnownVulnerability {
  readonly id: string;
  readonly aliases: readonly string[];
  readonly severity: (typeof severities)[number];
  readonly known_exploited: boolean;
  readonly isHarmless: boolean;
}

const idsOf = ({ id, aliases }: KnownVulnerability): string[] => [id, ...aliases];

const countBy = (versions: readonly KnownVersion[], isCounted: (one: KnownVersion) => boolean) => ({
  all: versions.filter(isCounted).length,
  approved: versions.filter((one) => isCounted(one) && one.status === 'approved').length,
});

/** Everything that must be listed, without what says by whom and how it was written. */
export const expectListed = (versions: readonly KnownVersion[]) => {
  const ids = [...new Set(versions.flatMap(({ has }) => has.flatMap(idsOf)))];
  return ids.flatMap((id) => {
    const v = `#vuln#${id.toUpperCase()}`;
    const affected = versions.filter(({ has }) => has.some((one) => idsOf(one).includes(id)));
    const find = ({ has }: KnownVersion) => has.find((one) => idsOf(one).includes(id));
    const harmed = affected.filter((one) => !find(one)?.isHarmless);
    const ratings = severities.flatMap((severity) => {
      const rated = countBy(harmed, (one) => find(one)?.severity === severity);
      return rated.all > 0 ? [[`${severity}/`, rated] as const] : [];
    });
    const statuses = Object.fromEntries(
      (['pending', 'approved', 'rejected'] as const).map((status) => [
        status,
        affected.filter((one) => one.status === status).length,
      ]),
    );
    const preferred = countBy(harmed, (one) => find(one)?.id === id);
    const exploited = countBy(harmed, (one) => find(one)?.known_exploited === true);
    const lists = (['all', 'approved'] as const).flatMap((scope) => {
      const worst = severities.findIndex((severity) =>
        ratings.some(([rating, count]) => rating === `${severity}/` && count[scope] > 0),
      );
      if (worst < 0 || preferred[scope] === 0) return [];
      const known_exploited = exploited[scope] > 0;
      const row = { k: `${worst}99.9#${id.toUpperCase()}`, severity: severities[worst], statuses };
      return ['vulns', ...(known_exploited ? ['exploited'] : [])].map((list) => ({
        v: `#${list}#${scope}`,
        ...{ ...row, known_exploited },
      }));
    });
    return [
      ...affected.map((one) => ({
        ...{ v, k: toVersionKey(one), name: one.name, status: one.status },
        severity: find(one)?.severity,
        preferred: find(one)?.id === id,
      })),
      { v, k: '#', statuses, ratings: Object.fromEntries(ratings), preferred, exploited },
      ...lists,
    ];
  });
};

const listPattern = /^#(vulns|exploited)#/;

const pick = (item: StoredItem, names: readonly string[]): StoredItem =>
  Object.fromEntries(names.map((name) => [name, item[name]]));

/** The same of what is stored. */
export const pickListed = (items: readonly StoredItem[]): StoredItem[] =>
  items.flatMap((item) => {
    const [v, k] = [String(item['v']), String(item['k'])];
    if (listPattern.test(v)) {
      return [pick(item, ['v', 'k', 'severity', 'statuses', 'known_exploited'])];
    }
    if (!v.startsWith('#vuln#')) return [];
    return k === '#'
      ? [pick(item, ['v', 'k', 'statuses', 'ratings', 'preferred', 'exploited'])]
      : [pick(item, ['v', 'k', 'name', 'status', 'severity', 'preferred'])];
  });

export const sortItems = (items: readonly object[]): object[] =>
  items.toSorted((one, other) =>
    JSON.stringify(keyOf(one)) < JSON.stringify(keyOf(other)) ? -1 : 1,
  );

const keyOf = (item: object): unknown[] => {
  const { v, k } = item as StoredItem;
  return [v, k];
};
