import type { NamedRange, ReleaseDetails } from '../../../domain/facts/release-details.ts';
import { isPackageName } from '../../../domain/packages/package-name.ts';
import type { Dependency } from '../../../domain/review/dependency-issues.ts';

/** True for a range of Maven, such as `[1.0,2.0)`. */
export const isMavenRange = (range: string): boolean => /^[[(]/.test(range);

/** Returns a Maven dependency that names a version or leaves it to a BOM; none for a range of Maven, which is not read. */
export const readMavenDependency = ({ name, range }: NamedRange): Dependency[] =>
  isPackageName('maven', name) && !isMavenRange(range)
    ? [{ name, range, accepts: (version) => range === '' || version === range }]
    : [];

/** Returns the Maven dependencies that name a version or leave it to a BOM. */
export const listMavenDependencies = (details: ReleaseDetails | undefined): Dependency[] =>
  (details?.dependencies ?? []).flatMap(readMavenDependency);
