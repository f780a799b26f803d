import { type LicenseExpression, listTerms } from '../../domain/licenses/expression.ts';
import { type LicenseRecord, makeExpressionRecord } from '../../domain/licenses/license-record.ts';
import { dropException, toLicenseKey } from '../../domain/licenses/license-terms.ts';
import { readExpression } from '../../domain/licenses/normalize/normalize-expression.ts';
import { findLicenses, type StoredLicenses } from '../../storage/licenses/license-items.ts';

/** Returns the stored licenses that expressions name, or are normalized to. Uses as few storage calls as possible. */
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

/** Returns the records of many expressions with one batch of reads; see `findLicense`. */
export const findEachLicense = async (
  expressions: readonly LicenseExpression[],
): Promise<readonly (LicenseRecord | undefined)[]> => {
  const held = await readNamedLicenses(expressions);
  return expressions.map((expression) => makeExpressionRecord(expression, held));
};

/** Returns the record of a license, or the verdict on an expression in the same shape. Undefined if no license is known. */
export const findLicense = async (
  expression: LicenseExpression,
): Promise<LicenseRecord | undefined> => (await findEachLicense([expression]))[0];
