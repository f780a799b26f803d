import type { ListedPage } from '../../shared/schemas/listed.ts';
import { formatCounts, toMinutes } from './scan-picture.ts';

/** A package version of a list, for people: of what `view=full` adds, as much as fits into a table. */
export const presentListed = (listed: ListedPage['packages'][number]): object => {
  if (!('objections' in listed)) return listed;
  const { name, version, ecosystem, status, license } = listed;
  const { submitted_at, submitted_by, license_status, scan, objections, expires_at } = listed;
  return {
    ...{ name, version, ecosystem, status, license, license_status },
    scan: scan?.status ?? null,
    found: scan && formatCounts(scan.severity),
    submitted_utc: submitted_at && toMinutes(submitted_at),
    submitted_by,
    objections: objections.map(({ code }) => code).join(', ') || null,
    expires_utc: expires_at && toMinutes(expires_at),
  };
};
