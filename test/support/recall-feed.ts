import type { OriginServer } from './origin-server.ts';

/** Package, versions and ranges that a record of OSV names. */
type Affected = readonly {
  readonly package: { readonly ecosystem: 'npm'; readonly name: string };
  readonly versions?: readonly string[];
  readonly ranges?: readonly object[];
}[];

/** Serves the malware feed of an origin without records. */
export const serveEmptyFeed = (origin: OriginServer): void => {
  for (const ecosystem of ['npm', 'PyPI', 'Maven']) {
    origin.serve(`/malware/${ecosystem}/modified_id.csv`, { body: '' });
  }
};

/** Lists a change of a record, at a time in ISO 8601, as the only one in the feed of npm. Each list has an ETag of its own. */
export const listRecord = (
  origin: OriginServer,
  record: { readonly id: string; readonly affected: Affected } & Readonly<Record<string, unknown>>,
  modified: string,
): void => {
  const headers = { ETag: `"${record.id} ${modified}"` };
  origin.serve('/malware/npm/modified_id.csv', { body: `${modified},${record.id}\n`, headers });
  origin.serve(`/malware/npm/${record.id}.json`, { body: { modified, ...record } });
};
