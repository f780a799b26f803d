import type { PackageAnswer } from '../../api/schemas/package.ts';
import { explainNormalization } from '../../domain/licenses/explain-normalization.ts';
import { type CatalogueTarget, chooseTarget } from '../../storage/catalogue/target.ts';
import type { WriteContext } from '../../storage/dynamodb/write-context.ts';
import type { VersionDetail } from '../../storage/packages/package-item.ts';
import type { ReviewContext } from './review-context.ts';

/** Returns a package version as API clients see it, with its normalized license. */
export const toPackageAnswer = ({ normalization, ...detail }: VersionDetail): PackageAnswer => ({
  ...detail,
  ...explainNormalization(detail.license, normalization),
});

/** Runs a write to a package version, and returns the written version as API clients see it. */
export const answerPackage = async (
  context: WriteContext<PackageAnswer>,
  write: (context: ReviewContext) => Promise<VersionDetail>,
  catalogue: CatalogueTarget = chooseTarget(),
): Promise<PackageAnswer> => {
  const remember = (detail: VersionDetail) => context.remember(toPackageAnswer(detail));
  return toPackageAnswer(await write({ ...context, remember, catalogue }));
};
