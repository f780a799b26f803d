import { type LicenseExpression, listTerms } from '../../domain/licenses/expression.ts';
import { type LicenseRecord, makeExpressionRecord } from '../../domain/licenses/license-record.ts';
import { dropException, toLicenseKey } from '../../domain/licenses/license-terms.ts';
import { readExpression } from '../../domain/licenses/normalize/normalize-expression.ts';
import { findLicenses, type StoredLicenses } from '../../storage/licenses/license-items.ts';

/** Returns the stored licenses that an expression names, or is normalized to. Uses as few storage calls as possible. */
const readNamedLicenses = (expression: LicenseExpression): Promise<StoredLicenses> => {
  const terms = [...listTerms(expression), ...listTerms(readExpression(expression))];
  return findLicenses(
    terms.flatMap((term) => [toLicenseKey(term), toLicenseKey(dropException(term))]),
    { withPolicy: terms.some(({ exception }) => exception !== undefined) },
  );
};

/** Returns the record of a license, or the verdict on an expression in the same shape. Undefined if no license is known. */
export const findLicense = async (
  expression: LicenseExpression,
): Promise<LicenseRecord | undefined> =>
  makeExpressionRecord(expression, await readNamedLicenses(expression));
