import { type RegistryClient, RequestError } from '../../../shared/api/client/client.ts';
import type { PackageDetail } from '../../../shared/api/schemas/package.ts';
import type { VersionFilter } from '../../../shared/api/schemas/version-query.ts';
import { formatPackage } from '../../../shared/domain/packages/format-package.ts';
import { omitFailure } from '../../failure/omit-failure.ts';
import type { Invocation } from '../../framework/command.ts';
import { listEcosystems } from '../../many/package-text.ts';

/** Returns the newest version that matches, as a list of one; empty if there is none. */
const findNewest = async (
  client: RegistryClient,
  name: string,
  filter: VersionFilter,
): Promise<readonly string[]> => {
  try {
    const page = await client.listVersions({ path: { name }, query: { ...filter, limit: 1 } });
    return page.packages.map(formatPackage);
  } catch (error) {
    if (error instanceof RequestError && error.status === 404) return [];
    throw error;
  }
};

const findApproved = async (client: RegistryClient, { ecosystem, name, status }: PackageDetail) =>
  status === 'approved' ? [] : findNewest(client, name, { ecosystem, status: 'approved' });

const findInOtherEcosystems = async (client: RegistryClient, shown: PackageDetail) => {
  const others = listEcosystems(shown.name).filter((ecosystem) => ecosystem !== shown.ecosystem);
  const found = await Promise.all(
    others.map((ecosystem) => findNewest(client, shown.name, { ecosystem })),
  );
  return found.flat();
};

const findIssues = async (
  client: RegistryClient,
  { ecosystem, name, version }: PackageDetail,
): Promise<readonly string[]> => {
  const { issues } = await client.showEvidence({ path: { name }, query: { ecosystem, version } });
  return issues.map(({ message }) => message);
};

/**
 * Describes the issues of a version and, if only a name was typed, the newest approved version and packages of the same name in
 * other ecosystems. Returns nothing if the registry fails.
 */
export const describeRelated = async (
  client: RegistryClient,
  shown: PackageDetail,
  { flags }: Invocation,
): Promise<readonly string[]> => {
  const [approved = [], others = [], issues = []] = await Promise.all([
    flags['version'] === undefined ? findApproved(client, shown) : [],
    flags['ecosystem'] === undefined ? findInOtherEcosystems(client, shown) : [],
    findIssues(client, shown),
  ]).catch(omitFailure);
  return [
    ...(approved.length > 0 ? [`Newest approved version: ${approved.join(', ')}`] : []),
    ...(others.length > 0 ? [`In other ecosystems: ${others.join(', ')}`] : []),
    ...(issues.length > 0 ? [`Issues of ${formatPackage(shown)}: ${issues.join(' ')}`] : []),
  ];
};
