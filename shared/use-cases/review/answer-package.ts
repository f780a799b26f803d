import type { PackageAnswer, PackageDetail } from '../../api/schemas/package.ts';
import { explainLicense } from '../../domain/licenses/normalize/explain-normalization.ts';
import { type CatalogueTarget, chooseTarget } from '../../storage/catalogue/target.ts';
import type { WriteContext } from '../../storage/dynamodb/write-context.ts';
import type { ReviewContext } from './review-context.ts';

/** A package version as it is answered: how its license reads follows from the rules of today, and is not stored. */
export const toPackageAnswer = (detail: PackageDetail): PackageAnswer => ({
  ...detail,
  ...explainLicense(detail.license),
});

/** Carries out a write to a package version, and answers with what became of it. */
export const answerPackage = async (
  context: WriteContext<PackageAnswer>,
  write: (context: ReviewContext) => Promise<PackageDetail>,
  catalogue: CatalogueTarget = chooseTarget(),
): Promise<PackageAnswer> => {
  const remember = (detail: PackageDetail) => context.remember(toPackageAnswer(detail));
  return toPackageAnswer(await write({ ...context, remember, catalogue }));
};
