import type { PackageId, PackageName } from './package-id.ts';

/** Returns the segments that name a version in an address of the review console. */
export const toVersionSegments = ({ ecosystem, name, version }: PackageId): readonly string[] =>
  [ecosystem, name, version].map(encodeURIComponent);

/** Returns the path of a version's page in the review console, below the address of the registry. */
export const toConsolePath = (id: PackageId): string =>
  `/console#/packages/${toVersionSegments(id).join('/')}`;

/** Returns the path of the versions of a name in the review console, below the address of the registry. */
export const toSearchPath = ({ ecosystem, name }: PackageName): string =>
  `/console#/packages?${new URLSearchParams({ search: name, ecosystem })}`;

/** Returns the path of a batch's page in the review console, below the address of the registry. */
export const toBatchPath = (batch: string): string => `/console#/queue?batch=${batch}`;
