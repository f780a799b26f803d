import { RegistryError } from '../shared/domain/errors.ts';
import { endpoint } from '../shared/http/endpoint.ts';
import { routes } from '../shared/routes.ts';
import { selectVersion } from '../shared/store/packages/find-versions.ts';
import { findLatestScan } from '../shared/store/scans/scans.ts';

export const handler = endpoint(routes.showScan, async ({ path, query }) => {
  const selected = await selectVersion({ ...path, ...query });
  const scan = await findLatestScan(selected);
  if (scan) return scan;
  const { ecosystem, name, version } = selected;
  throw new RegistryError(
    'scan_not_found',
    `${ecosystem} package ${name} ${version} was never scanned: nothing is known of its vulnerabilities.`,
  );
});
