import { type LicenseExpression, listTerms } from '../domain/licenses/expression.ts';
import { type LicenseRecord, makeExpressionRecord } from '../domain/licenses/license-record.ts';
import { dropException, toLicenseKey } from '../domain/licenses/license-terms.ts';
import { readExpression } from '../domain/licenses/reading/read-expression.ts';
import { findLicenses, type StoredLicenses } from '../store/licenses/license-items.ts';

/** Reads what is held on every license that an expression names or reads as: one call, however many they are. */
const readNamedLicenses = (expression: LicenseExpression): Promise<StoredLicenses> => {
  const terms = [...listTerms(expression), ...listTerms(readExpression(expression))];
  return findLicenses(
    terms.flatMap((term) => [toLicenseKey(term), toLicenseKey(dropException(term))]),
    { withPolicy: terms.some(({ exception }) => exception !== undefined) },
  );
};

/** The record of a license or, in the same shape, the verdict on an expression. Undefined where no license of it is known. */
export const findLicense = async (
  expression: LicenseExpression,
): Promise<LicenseRecord | undefined> =>
  makeExpressionRecord(expression, await readNamedLicenses(expression));
