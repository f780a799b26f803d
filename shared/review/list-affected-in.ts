import { type AcceptanceScope, toScopePrefix } from '../domain/scans/acceptance.ts';
import { type AffectedRow, listAffected } from '../store/vulnerabilities/affected.ts';
import { readVulnerabilityCounter } from '../store/vulnerabilities/counter.ts';
import { type AffectsCount, countRows } from './count-rows.ts';

/** The first versions in a scope that have a vulnerability, and whether those are all. */
interface AffectedPage {
  readonly rows: AffectedRow[];
  readonly isEnd: boolean;
}

/** Up to `count` of them, behind the one of key `after`. */
export const listAffectedIn = async (
  scope: AcceptanceScope,
  id: string,
  { after, count }: { readonly after?: string | undefined; readonly count: number },
): Promise<AffectedPage> => {
  const prefix = toScopePrefix(scope);
  const found = await listAffected(id, { after: after ?? prefix, count });
  const rows = found.filter(({ k }) => k.startsWith(prefix));
  return { rows, isEnd: rows.length < count };
};

/** How many versions have a vulnerability, everywhere or in a scope, as far as that is known by now. */
export const countAffected = async (scope: AcceptanceScope, id: string): Promise<AffectsCount> => {
  if (scope.ecosystem !== null) {
    return countRows<AffectedRow>(async ({ after, count }) => {
      const { rows } = await listAffectedIn(scope, id, { after: after?.k, count });
      return rows;
    });
  }
  const counter = await readVulnerabilityCounter(id);
  const affects = Object.values(counter?.statuses ?? {}).reduce((sum, count) => sum + count, 0);
  return { affects, affects_at_least: false };
};
