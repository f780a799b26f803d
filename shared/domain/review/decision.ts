import { RegistryError, refuseInvalid, refuseUnknownPackage } from '../errors.ts';
import { formatPackage } from '../packages/format-package.ts';
import type { PackageId, PackageSelector } from '../packages/package-id.ts';
import { statusAt } from './expiry.ts';
import type { Decision, Status } from './status.ts';

/** Version that a decision concerns. */
interface Decidable extends PackageId {
  readonly status: Status;
  readonly expires_at: string | null;
  readonly license: string | null;
}

/** Requested decision, with the fields that can make it invalid. */
interface Intent {
  readonly to: Decision;
  readonly reason?: string | null | undefined;
  readonly expectedStatus?: Status | null | undefined;
  /** True if an approval sets an expiry date. It may then renew an approval in force. */
  readonly renews?: boolean;
  /** True if an approval in force is confirmed without changes. */
  readonly keeps?: boolean;
  /** True if the rejection in force is a recall, which a rejection by a person replaces. */
  readonly isRecalled?: boolean;
}

/**
 * Checks that a decision is valid.
 * @throws {RegistryError} if the status is not the expected one, if the decision is already in force, or if a reversal
 * has no reason
 */
export const checkDecision = (
  current: Decidable,
  { to, reason, expectedStatus, renews = false, keeps = false, isRecalled = false }: Intent,
): void => {
  const subject = formatPackage(current);
  if (expectedStatus && current.status !== expectedStatus) {
    throw new RegistryError(
      'decision_conflict',
      `${subject} is ${current.status}, not ${expectedStatus}. Nothing was changed.`,
    );
  }
  if (keeps && current.status !== 'approved') {
    throw new RegistryError(
      'decision_conflict',
      `${subject} is ${current.status}, but only an approved version can be confirmed. Nothing was changed.`,
    );
  }
  const replaces = to === 'approved' ? renews || keeps : isRecalled;
  if (current.status === to && !replaces) {
    throw new RegistryError(
      'decision_in_force',
      `${subject} is already ${to}. Nothing was changed.`,
    );
  }
  if (current.status !== 'pending' && current.status !== to && (reason ?? null) === null) {
    throw refuseInvalid(
      'reason',
      `${subject} is ${current.status}; give a reason to change it to ${to}`,
      'reason_required',
    );
  }
};

/**
 * Returns the version that a request selects: the only pending match or, if none is pending, the only match.
 * @throws {RegistryError} `package_not_found` or `ambiguous_version`
 */
export const selectOne = <T extends Decidable>(
  selector: PackageSelector,
  all: readonly T[],
  now: Date,
): T => {
  const pending = all.filter((version) => statusAt(version, now) === 'pending');
  const choices = pending.length > 0 ? pending : all;
  const [only, ...others] = choices;
  if (only === undefined) throw refuseUnknownPackage(selector);
  if (others.length === 0) return only;
  throw refuseAmbiguous(selector.name, choices, now);
};

const refuseAmbiguous = (name: string, choices: readonly Decidable[], now: Date): RegistryError => {
  const isPending = choices.every((version) => statusAt(version, now) === 'pending');
  const what = isPending ? 'pending versions' : 'versions, none of them pending';
  const message = `${name} has several ${what}; select one with the parameters ecosystem and version`;
  return new RegistryError('ambiguous_version', message, {
    errors: [{ path: 'version', message }],
    members: {
      candidates: choices.map((choice) => ({
        name: choice.name,
        version: choice.version,
        ecosystem: choice.ecosystem,
        status: statusAt(choice, now),
        license: choice.license,
      })),
    },
  });
};
