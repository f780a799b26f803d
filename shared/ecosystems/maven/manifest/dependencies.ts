import type { ReleaseDetails } from '../../../domain/facts/release-details.ts';
import { isPackageName } from '../../../domain/packages/package-name.ts';
import type { Dependency } from '../../../domain/review/dependency-issues.ts';

/** Returns the Maven dependencies that name a version or leave it to a BOM. A range of Maven is not read. */
export const listMavenDependencies = (details: ReleaseDetails | undefined): Dependency[] =>
  (details?.dependencies ?? [])
    .filter(({ name, range }) => isPackageName('maven', name) && !/^[[(]/.test(range))
    .map(({ name, range }) => ({
      ...{ name, range },
      accepts: (version) => range === '' || version === range,
    }));
