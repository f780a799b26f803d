import type { PackageDetail } from '../../api/schemas/package.ts';
import type { CatalogueTarget } from '../../storage/catalogue/target.ts';
import type { WriteContext } from '../../storage/dynamodb/write-context.ts';

/** What a write to a package version works with: lists and searches are written along with it. */
export interface ReviewContext extends WriteContext<PackageDetail> {
  readonly catalogue: CatalogueTarget;
}
