import type { Attestation as AttestationAnswer } from '../../api/schemas/attestation.ts';
import { RegistryError } from '../../domain/errors.ts';
import { formatPackage } from '../../domain/packages/format-package.ts';
import { statusAt } from '../../domain/review/expiry.ts';
import {
  type Attestation,
  findNewestAttestation,
} from '../../storage/attestations/attestation-items.ts';
import { selectVersion, type VersionSelector } from '../../storage/packages/find-versions.ts';
import type { PackageItem } from '../../storage/packages/package-item.ts';

/**
 * True if the newest attestation of a version is that of the decision in force. A version whose recall ended shows its
 * original approval, which is older.
 */
const isInForce = (
  { status, approved_at, rejected_at }: PackageItem,
  { to, at, type }: Attestation,
): boolean => {
  const decidedAt = (status === 'approved' ? approved_at : rejected_at) ?? '';
  if (to !== status) return false;
  return at === decidedAt || (type === 'package.released' && at > decidedAt);
};

const refuseUnsigned = (version: PackageItem, isSigning: boolean): RegistryError => {
  const name = formatPackage(version);
  return isSigning
    ? new RegistryError(
        'not_signed_yet',
        `The decision on ${name} is not signed yet. That takes a few seconds. A decision of the time before signDecisions was on is signed if an operator asks for it.`,
      )
    : new RegistryError(
        'signing_disabled',
        `The decision on ${name} is not signed: the setting signDecisions of this registry is off.`,
      );
};

/**
 * Returns the attestation of the decision in force on the selected version.
 * @throws {RegistryError} `decision_not_found` for a pending version; `not_signed_yet`, or `signing_disabled`, without one
 */
export const showAttestation = async (
  selector: VersionSelector,
  { isSigning, now }: { readonly isSigning: boolean; readonly now: Date },
): Promise<AttestationAnswer> => {
  const version = await selectVersion(selector);
  if (statusAt(version, now) === 'pending') {
    throw new RegistryError(
      'decision_not_found',
      `No decision is in force on ${formatPackage(version)}: it is pending.`,
    );
  }
  const newest = await findNewestAttestation(version);
  if (!newest || !isInForce(version, newest)) throw refuseUnsigned(version, isSigning);
  const { payloadType, payload, signatures } = newest.envelope;
  return { payloadType, payload, signatures: [...signatures] };
};
