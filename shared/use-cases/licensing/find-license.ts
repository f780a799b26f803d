import { type LicenseExpression, listTerms } from '../../domain/licenses/expression.ts';
import { type LicenseRecord, makeExpressionRecord } from '../../domain/licenses/license-record.ts';
import { dropException, toLicenseKey } from '../../domain/licenses/license-terms.ts';
import { readExpression } from '../../domain/licenses/normalize/normalize-expression.ts';
import { findLicenses, type StoredLicenses } from '../../storage/licenses/license-items.ts';

/** Reads what is held on every license that expressions name or read as: as few calls as that takes. */
const readNamedLicenses = (expressions: readonly LicenseExpression[]): Promise<StoredLicenses> => {
  const terms = expressions.flatMap((expression) => [
    ...listTerms(expression),
    ...listTerms(readExpression(expression)),
  ]);
  return findLicenses(
    terms.flatMap((term) => [toLicenseKey(term), toLicenseKey(dropException(term))]),
    { withPolicy: terms.some(({ exception }) => exception !== undefined) },
  );
};

/** The records of many licenses at once; see `findLicense`. */
export const findEachLicense = async (
  expressions: readonly LicenseExpression[],
): Promise<readonly (LicenseRecord | undefined)[]> => {
  const held = await readNamedLicenses(expressions);
  return expressions.map((expression) => makeExpressionRecord(expression, held));
};

/** The record of a license or, in the same shape, the verdict on an expression. Undefined where no license of it is known. */
export const findLicense = async (
  expression: LicenseExpression,
): Promise<LicenseRecord | undefined> => (await findEachLicense([expression]))[0];
