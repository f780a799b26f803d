import { formatPackage } from '../../../shared/domain/packages/format-package.ts';
import { type PackageId, toVersionKey } from '../../../shared/domain/packages/package-id.ts';
import { NegativeResultError } from '../../failure/negative-result-error.ts';
import type { Statement } from '../../presentation/signed-decision.ts';

/**
 * Checks that a statement is about a package version, in any of its spellings.
 * @throws {NegativeResultError} if it is about another one
 */
export const checkPackage = (expected: PackageId, { predicate }: Statement): void => {
  const { ecosystem, name, version } = predicate.package;
  const named = { ecosystem: expected.ecosystem, name, version };
  if (ecosystem === expected.ecosystem && toVersionKey(named) === toVersionKey(expected)) return;
  throw new NegativeResultError(
    `The statement is genuine, but it is about ${formatPackage(predicate.package)}, and not about ${formatPackage(expected)}.`,
    ['Save the one you need with: registry attestation NAME@VERSION --json > FILE'],
  );
};
