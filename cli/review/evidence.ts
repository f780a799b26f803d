import { type RegistryClient, RequestError } from '../../shared/client/client.ts';
import { isSegment } from '../../shared/client/outgoing.ts';
import type { LicenseRecord } from '../../shared/schemas/license.ts';
import type { PackageDetail, PackageListItem } from '../../shared/schemas/package.ts';
import type { ScanResult } from '../../shared/schemas/scan.ts';

/** What a decision is made on. What the registry does not know is null. */
export interface Evidence {
  readonly detail: PackageDetail;
  readonly scan: ScanResult | null;
  readonly license: LicenseRecord | null;
}

const orNull = async <T>(request: Promise<T>): Promise<T | null> => {
  try {
    return await request;
  } catch (error) {
    if (error instanceof RequestError && error.problem && error.status === 404) return null;
    throw error;
  }
};

/** A name that no path can hold is none that the registry could know. */
const licenseCalled = async (
  client: RegistryClient,
  name: string | null,
): Promise<LicenseRecord | null> =>
  name !== null && isSegment(name) ? orNull(client.showLicense({ path: { name } })) : null;

/** Reads everything that the registry knows of one version. */
export const gatherEvidence = async (
  client: RegistryClient,
  { name, ecosystem, version, license }: PackageListItem,
): Promise<Evidence> => {
  const selected = { path: { name }, query: { ecosystem, version } };
  const [detail, scan, record] = await Promise.all([
    client.showPackage(selected),
    orNull(client.showScan(selected)),
    licenseCalled(client, license),
  ]);
  return { detail, scan, license: record };
};
