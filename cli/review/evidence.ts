import { type RegistryClient, RequestError } from '../../shared/client/client.ts';
import { isPathSegment } from '../../shared/client/outgoing.ts';
import type { LicenseRecord } from '../../shared/schemas/license.ts';
import type { PackageAnswer, PackageListItem } from '../../shared/schemas/package.ts';
import type { ScanResult } from '../../shared/schemas/scan.ts';
import { selectVersion } from './version-selection.ts';

/** What a decision is made on. What the registry does not know is null. */
export interface Evidence {
  readonly detail: PackageAnswer;
  readonly scan: ScanResult | null;
  readonly license: LicenseRecord | null;
}

/** Null for what the registry does not know. */
const readIfThere = async <T>(request: Promise<T>): Promise<T | null> => {
  try {
    return await request;
  } catch (error) {
    if (error instanceof RequestError && error.problem && error.status === 404) return null;
    throw error;
  }
};

/** A name that no path can hold is none that the registry could know. */
const readLicense = async (
  client: RegistryClient,
  name: string | null,
): Promise<LicenseRecord | null> =>
  name !== null && isPathSegment(name) ? readIfThere(client.showLicense({ path: { name } })) : null;

/** Reads everything that the registry knows of one version. */
export const gatherEvidence = async (
  client: RegistryClient,
  item: PackageListItem,
): Promise<Evidence> => {
  const version = selectVersion(item);
  const [detail, scan, license] = await Promise.all([
    client.showPackage(version),
    readIfThere(client.showScan(version)),
    readLicense(client, item.license),
  ]);
  return { detail, scan, license };
};
