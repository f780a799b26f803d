import type { PackageDetail } from '../schemas/package.ts';
import type { CatalogueTarget } from '../store/catalogue/target.ts';
import type { WriteContext } from '../store/write-context.ts';

/** What a write to a package version works with: lists and searches are written along with it. */
export interface ReviewContext extends WriteContext<PackageDetail> {
  readonly catalogue: CatalogueTarget;
}
