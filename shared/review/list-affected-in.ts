import { type AcceptanceScope, toScopePrefix } from '../domain/scans/acceptance.ts';
import { type AffectedRow, listAffected } from '../store/vulnerabilities/affected.ts';
import { readVulnerabilityCounter } from '../store/vulnerabilities/counter.ts';

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

const rowsAtATime = 500;

const countRows = async (scope: AcceptanceScope, id: string): Promise<number> => {
  let count = 0;
  let after: string | undefined;
  for (;;) {
    const { rows, isEnd } = await listAffectedIn(scope, id, { after, count: rowsAtATime });
    count += rows.length;
    if (isEnd) return count;
    after = rows.at(-1)?.k;
  }
};

/** How many versions have a vulnerability, everywhere or in a scope, as far as that is known by now. */
export const countAffected = async (scope: AcceptanceScope, id: string): Promise<number> => {
  if (scope.ecosystem !== null) return countRows(scope, id);
  const counter = await readVulnerabilityCounter(id);
  return Object.values(counter?.statuses ?? {}).reduce((sum, count) => sum + count, 0);
};
