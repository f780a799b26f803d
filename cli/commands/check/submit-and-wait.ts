import { RequestError } from '../../../shared/api/client/client.ts';
import {
  type Finding,
  isSubmittable,
  type UsedVersion,
} from '../../../shared/use-cases/dependency-check/findings.ts';
import { UnansweredError } from '../../failure/unanswered-error.ts';
import type { Session } from '../../session/session.ts';
import { nameBatch } from './batch-name.ts';
import { checkVersions, type RegistryAnswer } from './check-versions.ts';
import { listDecided } from './decided-versions.ts';
import type { CheckFlags } from './options.ts';
import { StillWaitingError } from './still-waiting-error.ts';
import { nothingSubmitted, type SubmissionReport, submitUnknown } from './submit-unknown.ts';
import { waitForRules } from './wait-for-rules.ts';

/** The flags of a check that decide what is submitted, and how long it waits. */
export type SubmissionFlags = Pick<CheckFlags, 'allow' | 'batch' | 'reason' | 'wait'>;

/** The findings, and the fault that stopped the rest, if there was one. */
export interface Outcome extends RegistryAnswer {
  readonly submission?: SubmissionReport;
  readonly fault?: unknown;
}

const chooseAllowed = ({ allow = [] }: SubmissionFlags) =>
  allow.filter((one) => one === 'pending' || one === 'unknown');

/** Checks versions. A check without an answer of the registry has no result, so that its error is no refusal. */
export const checkAll = async (
  used: readonly UsedVersion[],
  flags: SubmissionFlags,
  session: Session,
): Promise<RegistryAnswer> => {
  try {
    return await checkVersions(used, chooseAllowed(flags), session);
  } catch (error) {
    throw error instanceof RequestError ? new UnansweredError(error) : error;
  }
};

/** Returns true if a version must be submitted, or is pending and joins the batch. */
const joinsBatch = (finding: Finding): boolean =>
  isSubmittable(finding) || finding.status === 'pending';

/** Submits unknown versions, and checks these again, also after a failure. */
const submitAndCheckAgain = async (
  answer: RegistryAnswer,
  flags: SubmissionFlags,
  session: Session,
): Promise<Outcome> => {
  const { found } = answer;
  const joining = [...found].filter(([, finding]) => joinsBatch(finding));
  const wanted = joining.map(([used]) => used);
  if (wanted.length === 0) return { ...answer, submission: nothingSubmitted };
  const batch = flags.batch ?? nameBatch([...found.keys()].map(({ dependency }) => dependency));
  const submitted = await submitUnknown(
    listDecided(joining),
    { reason: flags.reason, batch },
    session,
  );
  const [again] = await Promise.allSettled([checkAll(wanted, flags, session)]);
  if (again.status === 'fulfilled') {
    return { ...answer, found: new Map([...found, ...again.value.found]), ...submitted };
  }
  return { ...answer, fault: again.reason, ...submitted };
};

/** Submits unknown versions, and with `--wait` waits for the rules. */
export const submitAndWait = async (
  answer: RegistryAnswer,
  flags: SubmissionFlags,
  session: Session,
): Promise<Outcome> => {
  const outcome = await submitAndCheckAgain(answer, flags, session);
  if (flags.wait === undefined || outcome.fault !== undefined) return outcome;
  const options = { allow: chooseAllowed(flags), boundMs: flags.wait };
  try {
    const { found, isOverdue } = await waitForRules(outcome.found, options, session);
    return { ...outcome, found, ...(isOverdue && { fault: new StillWaitingError(flags.wait) }) };
  } catch (fault) {
    return { ...outcome, fault };
  }
};
