import { RegistryError } from '../shared/domain/errors.ts';
import { endpoint } from '../shared/http/endpoint.ts';
import { routes } from '../shared/routes.ts';
import { selectVersion } from '../shared/store/packages/find-versions.ts';
import { findLatestScan, findScan } from '../shared/store/scans/scans.ts';

export const handler = endpoint(routes.showScan, async ({ path, query }) => {
  const { number, ...filter } = query;
  const selected = await selectVersion({ ...path, ...filter });
  const scan = await (number === undefined ? findLatestScan(selected) : findScan(selected, number));
  if (scan) return scan;
  const { ecosystem, name, version } = selected;
  if (number !== undefined) {
    throw new RegistryError(
      'scan_not_found',
      `${ecosystem} package ${name} ${version} has no scan of the number ${number}.`,
    );
  }
  throw new RegistryError(
    'scan_not_found',
    `${ecosystem} package ${name} ${version} was never scanned: nothing is known of its vulnerabilities.`,
  );
});
