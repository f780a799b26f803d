import { RegistryError, refuseInvalid, refuseUnknownPackage } from '../errors.ts';
import type { PackageId, PackageSelector } from '../packages/package-id.ts';
import { statusAt } from './expiry.ts';
import type { Decision, Status } from './status.ts';

/** What a decision is made on. */
interface Decidable extends PackageId {
  readonly status: Status;
  readonly expires_at: string | null;
  readonly license: string | null;
}

/** What is to be decided, as far as it may be refused. */
interface Intent {
  readonly to: Decision;
  readonly reason?: string | null | undefined;
  readonly expectedStatus?: Status | null | undefined;
  /** Whether an approval says until when it holds: one that is in force may then be given another end. */
  readonly renews?: boolean;
  /** Whether an approval that is in force is kept as it is. */
  readonly keeps?: boolean;
}

/** Refuses a decision on what stands elsewhere than expected, one that is in force already, and a reversal without a reason. */
export const checkDecision = (
  current: Decidable,
  { to, reason, expectedStatus, renews = false, keeps = false }: Intent,
): void => {
  const subject = `${current.name} ${current.version}`;
  if (expectedStatus && current.status !== expectedStatus) {
    throw new RegistryError(
      'decision_conflict',
      `${subject} is ${current.status}, and not ${expectedStatus}. Nothing was changed.`,
    );
  }
  if (keeps && current.status !== 'approved') {
    throw new RegistryError(
      'decision_conflict',
      `${subject} is ${current.status}: only an approved version can be kept. Nothing was changed.`,
    );
  }
  if (current.status === to && !((renews || keeps) && to === 'approved')) {
    throw new RegistryError(
      'decision_in_force',
      `${subject} is already ${to}. Nothing was changed.`,
    );
  }
  if (current.status !== 'pending' && current.status !== to && (reason ?? null) === null) {
    throw refuseInvalid(
      'reason',
      `${subject} is ${current.status}; to have it ${to}, give a reason`,
      'reason_required',
    );
  }
};

/** The version that a write means: the only pending match, or, with none pending, the only match. */
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
  const message = `${name} has several ${what}; say which with the parameters ecosystem and version`;
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
