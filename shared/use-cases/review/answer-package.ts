import type { PackageAnswer, PackageDetail } from '../../api/schemas/package.ts';
import { explainLicense } from '../../domain/licenses/normalize/explain-normalization.ts';
import { type CatalogueTarget, chooseTarget } from '../../storage/catalogue/target.ts';
import type { WriteContext } from '../../storage/dynamodb/write-context.ts';
import type { ReviewContext } from './review-context.ts';

/** Returns a package version as API clients see it. Its license is interpreted by the current rules, not from storage. */
export const toPackageAnswer = (detail: PackageDetail): PackageAnswer => ({
  ...detail,
  ...explainLicense(detail.license),
});

/** Runs a write to a package version, and returns the written version as API clients see it. */
export const answerPackage = async (
  context: WriteContext<PackageAnswer>,
  write: (context: ReviewContext) => Promise<PackageDetail>,
  catalogue: CatalogueTarget = chooseTarget(),
): Promise<PackageAnswer> => {
  const remember = (detail: PackageDetail) => context.remember(toPackageAnswer(detail));
  return toPackageAnswer(await write({ ...context, remember, catalogue }));
};
