import { RegistryError } from '../../domain/errors.ts';
import { isOwnPackage, type OwnPackages } from '../../domain/packages/own-packages.ts';
import { toPackageKey } from '../../domain/packages/package-id.ts';
import {
  type AutomaticSubmission,
  describeCause,
  updatesBatch,
} from '../../domain/review/automatic-submission.ts';
import { anonymous } from '../../domain/tokens/actor.ts';
import { registryActor } from '../../domain/tokens/registry-actor.ts';
import { type BatchAnswer, reportFailures } from '../../platform/worker/batch-answer.ts';
import type { QueueEvent } from '../../platform/worker/events/queue-event.ts';
import { SubmissionRequest } from '../../platform/worker/events/submission-request.ts';
import { parseBody } from '../../platform/worker/read-message.ts';
import type { CatalogueTarget } from '../../storage/catalogue/target.ts';
import { LeaseTakenError, withLease } from '../../storage/quotas/lease.ts';
import type { Deadline } from '../../util/deadline.ts';
import { logEvent } from '../../util/log.ts';
import { submitPackage } from '../review/submit-package.ts';
import {
  chooseRequested,
  type RequestedVersion,
  type UpstreamSettings,
} from './choose-requested.ts';
import { markAsFix } from './mark-as-fix.ts';
import { checkPending, countInstall, countUpdate, NotSubmittedError } from './submission-limits.ts';

/** Settings of the worker that submits versions itself, and its clients. */
interface SubmissionContext extends UpstreamSettings {
  readonly own: readonly OwnPackages[];
  readonly updatesPerDay: number;
  readonly submissionsPerDay: number;
  /** True if submitters need a token with a label. */
  readonly fourEyes: boolean;
  readonly catalogue: CatalogueTarget;
  readonly deadline: Deadline;
}

const toAutomatic = ({
  cause,
  of,
  fixes,
  root,
  by,
}: Omit<SubmissionRequest, 'version'>): AutomaticSubmission => ({
  ...{ cause, of, fixes, root, fingerprint: by?.fingerprint ?? null },
});

/** Submits a version, unless another request has submitted it in the meantime. */
const submit = async (
  { version, ...request }: RequestedVersion,
  { own, submissionsPerDay, fourEyes, catalogue, deadline }: SubmissionContext,
): Promise<void> => {
  const { ecosystem, name, by } = request;
  const automatic = toAutomatic(request);
  const submission = {
    ...{ ecosystem, name, version, justification: describeCause(automatic) },
    ...(by ? {} : { submitted_by: registryActor, batch: updatesBatch }),
  };
  const context = {
    ...{ actor: by ?? anonymous, now: new Date(), deadline, catalogue },
    remember: () => [],
  };
  // The quota and the label that a token needs concern what its installs submit, too.
  const ofToken = by ? { submissionsPerDay, fourEyes } : {};
  const rules = { own, ...ofToken, automatic };
  await submitPackage(submission, context, rules);
  logEvent('info', 'version_submitted', { ecosystem, name, version, cause: automatic.cause });
};

/** Submits a version that an install asked for, or its dependency. Counts it before the first request to an origin. */
const submitInstall = async (
  request: SubmissionRequest,
  context: SubmissionContext,
  isRetry: boolean,
): Promise<void> => {
  const beforeOrigin = async () => {
    if (!isRetry) await countInstall(request, context);
  };
  const chosen = await chooseRequested(request, { ...context, beforeOrigin });
  if (chosen) await submit(chosen, context);
};

/** Submits an update or its dependency, as far as the limits of the registry's own submissions allow. */
const submitUpdate = async (
  request: SubmissionRequest,
  context: SubmissionContext,
): Promise<void> => {
  const chosen = await chooseRequested(request, context);
  if (!chosen) return;
  const { ecosystem, name } = request;
  if (chosen.cause === 'security_fix' && (await markAsFix(chosen, toAutomatic(chosen), context)))
    return;
  await withLease(toPackageKey(ecosystem, name), async () => {
    await checkPending(chosen);
    await countUpdate(chosen, context);
    await submit(chosen, context);
  });
};

/** True if the outcome of a request is final: a retry would change nothing. */
const isFinal = (error: unknown): error is Error =>
  error instanceof NotSubmittedError ||
  (error instanceof RegistryError &&
    ['package_exists', 'own_package', 'quota_reached', 'label_required'].includes(error.code));

/** Handles one message. Returns false if the queue shall deliver it again. */
const handle = async (
  record: QueueEvent['Records'][number],
  context: SubmissionContext,
): Promise<boolean> => {
  const request = parseBody(SubmissionRequest, record);
  // Another delivery would not change it.
  if (!request) return true;
  const { ecosystem, name, version, cause, by } = request;
  if (isOwnPackage(context.own, request)) return true;
  try {
    const isRetry = Number(record.attributes?.ApproximateReceiveCount ?? 1) > 1;
    await (by ? submitInstall(request, context, isRetry) : submitUpdate(request, context));
    return true;
  } catch (error) {
    const what = { ecosystem, name, version, cause, label: by?.label };
    if (isFinal(error)) {
      logEvent('info', 'version_not_submitted', { ...what, reason: error.message });
      return true;
    }
    const level = error instanceof LeaseTakenError ? 'info' : 'error';
    logEvent(level, 'submission_failed', { ...what, error });
    return false;
  }
};

/**
 * Submits the versions that the registry itself wants in review: updates of approved versions, their dependencies, and what
 * installs through the gate asked for. A message that cannot be handled now is delivered again.
 */
export const submitRequested = async (
  { Records }: QueueEvent,
  context: SubmissionContext,
): Promise<BatchAnswer> => {
  const failed: string[] = [];
  // One after the other: two messages of a batch are often about one package.
  for (const record of Records) {
    if (!(await handle(record, context))) failed.push(record.messageId);
  }
  return reportFailures(failed);
};
