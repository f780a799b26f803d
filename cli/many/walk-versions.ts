import { maxFullLimit } from '../../shared/api/schemas/list-query.ts';
import { type ListedVersion, ListedVersion as Schema } from '../../shared/api/schemas/listed.ts';
import type { Session } from '../session/session.ts';
import { readPages } from './paging.ts';

/**
 * Yields all versions of the registry with `view=full`, page by page. It has no filter: concurrent decisions would shift the
 * offsets of a filtered list.
 */
export async function* walkVersions(
  sort: 'submitted_at' | '-submitted_at',
  { client, terminal }: Session,
): AsyncGenerator<readonly ListedVersion[]> {
  const list = { readPage: (input: object) => client.listPackages(input) };
  const query = { view: 'full', sort, limit: maxFullLimit };
  for await (const { rows } of readPages(list, { query }, terminal)) {
    yield rows.flatMap((row) => Schema.safeParse(row).data ?? []);
  }
}
