import type { PackageDetail } from '../../api/schemas/package.ts';
import type { CatalogueTarget } from '../../storage/catalogue/target.ts';
import type { WriteContext } from '../../storage/dynamodb/write-context.ts';

/** Dependencies of a write to a package version, with the catalogue target for lists and searches. */
export interface ReviewContext extends WriteContext<PackageDetail> {
  readonly catalogue: CatalogueTarget;
}
