import { packagePath } from '../support/registry.ts';
import { type Exercise, invoking } from './exercise.ts';

let records = 0;

/** Recalls an approved version with a failed scan and an expiry date, and releases it when the record is withdrawn. */
export const recalling: Exercise = async (registry, name, osv, origin) => {
  records += 1;
  const id = `MAL-2026-${records}`;
  await registry.post(packagePath(name, '/approve'), { expires_in_days: 30 });
  await registry.post(`/api/v1/security/scans/${name}`, {
    tool: 'a-scanner',
    vulnerabilities: [{ id: 'CVE-2026-1', severity: 'high' }],
  });
  const run = invoking('recall-packages', {});
  const listRecord = (some: object): void => {
    const now = registry.clock.at(0);
    const affected = [{ package: { ecosystem: 'npm', name }, versions: ['1.0.0'] }];
    const headers = { ETag: `"${id} ${JSON.stringify(some).length}"` };
    origin.serve('/malware/npm/modified_id.csv', { body: `${now},${id}\n`, headers });
    origin.serve(`/malware/npm/${id}.json`, { body: { id, modified: now, affected, ...some } });
  };
  for (const ecosystem of ['PyPI', 'Maven']) {
    origin.serve(`/malware/${ecosystem}/modified_id.csv`, { body: '' });
  }
  listRecord({});
  const recalled = await run(registry, name, osv, origin);
  registry.clock.pass(1000);
  listRecord({ withdrawn: registry.clock.at(0) });
  return [...recalled, ...(await run(registry, name, osv, origin))];
};
