import { PutCommand } from '@aws-sdk/lib-dynamodb';
import { databaseOf } from '../support/database.ts';
import { listRecord, serveEmptyFeed } from '../support/recall-feed.ts';
import { packagePath } from '../support/registry.ts';
import { type Exercise, invoking } from './exercise.ts';

let records = 0;

/**
 * Recalls an approved version with a failed scan and an expiry date, has a pending one scanned, and releases the recalled one when
 * the record is withdrawn.
 */
export const recalling: Exercise = async (registry, name, osv, origin) => {
  records += 1;
  const id = `MAL-2026-${records}`;
  await registry.post(packagePath(name, '/approve'), { expires_in_days: 30 });
  await registry.post(`/api/v1/security/scans/${name}`, {
    tool: 'a-scanner',
    vulnerabilities: [{ id: 'CVE-2026-1', severity: 'high' }],
  });
  const run = invoking('recall-packages', {});
  const pending = { ecosystem: 'npm', name: `${name}-pending`, version: '1.0.0' };
  await registry.submit(pending);
  const affected = [name, pending.name].map((one) => ({
    package: { ecosystem: 'npm' as const, name: one },
    versions: ['1.0.0'],
  }));
  serveEmptyFeed(origin);
  listRecord(origin, { id, affected }, registry.clock.at(0));
  const recalled = await run(registry, name, osv, origin);
  registry.clock.pass(1000);
  const withdrawn = registry.clock.at(0);
  listRecord(origin, { id, affected, withdrawn }, withdrawn);
  const released = await run(registry, name, osv, origin);
  return [
    ...recalled,
    ...released,
    ...(await holding(registry, name, osv, origin)),
    ...(await removing(registry, name, osv, origin)),
  ];
};

/** Holds a record that names all versions of an approved package. Returns its id. */
const holdRecord = async (
  ...[registry, name, osv, origin]: Parameters<Exercise>
): Promise<string> => {
  records += 1;
  const id = `MAL-2026-${records}`;
  await registry.post(packagePath(name, '/approve'), {});
  const ranges = [{ type: 'SEMVER', events: [{ introduced: '0' }] }];
  registry.clock.pass(1000);
  const affected = [{ package: { ecosystem: 'npm', name }, ranges }] as const;
  serveEmptyFeed(origin);
  listRecord(origin, { id, affected }, registry.clock.at(0));
  await invoking('recall-packages', {})(registry, name, osv, origin);
  return id;
};

/** Recalls the versions of a held record that a person confirmed. */
const holding: Exercise = async (registry, name, osv, origin) => {
  const id = await holdRecord(registry, name, osv, origin);
  const confirmed = await registry.post(`/api/v1/held-recalls/${id}`, { reason: 'Confirmed' });
  return [
    confirmed.status,
    ...(await invoking('recall-packages', {})(registry, name, osv, origin)),
  ];
};

/** Confirms a held record, and dismisses another one, each twice with one key. */
export const decidingHeld: Exercise = async (registry, name, osv, origin) => {
  const statuses: number[] = [];
  for (const decision of ['dismiss', 'recall']) {
    const id = await holdRecord(registry, name, osv, origin);
    const body = { decision, reason: 'Looked at' };
    const headers = { 'Idempotency-Key': `${name} ${decision}` };
    for (const _ of [1, 2]) {
      const path = `/api/v1/held-recalls/${id}`;
      statuses.push((await registry.send('POST', path, { body, headers })).status);
    }
  }
  return statuses;
};

/** Handles a report that upstream removed an approved version. */
const removing: Exercise = async (registry, name, osv, origin) => {
  await registry.post(packagePath(name, '/approve'), {
    accept_recall: `MAL-2026-${records}`,
    reason: 'Seen',
  });
  const id = { ecosystem: 'npm', name, version: '1.0.0' };
  const Item = {
    ...{ v: '#removals', k: `npm#${name}#1.0.0`, kind: 'gone', at: registry.clock.at(0) },
    ...{ hasName: true, reason: 'Gone', ...id },
  };
  const TableName = registry.stack.tables['REVIEWS_TABLE'];
  await databaseOf(registry).send(new PutCommand({ TableName, Item }));
  return invoking('recall-packages', {})(registry, name, osv, origin);
};
