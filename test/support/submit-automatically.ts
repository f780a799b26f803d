import type { PackageId } from '../../shared/domain/packages/package-id.ts';
import {
  type AutomaticSubmission,
  describeCause,
  updatesBatch,
} from '../../shared/domain/review/automatic-submission.ts';
import { registryActor } from '../../shared/domain/tokens/registry-actor.ts';
import { submitPackage } from '../../shared/use-cases/review/submit-package.ts';
import { writeContext } from '../capacity/write-context.ts';

/** Submits a version as the registry itself does, with the store in this process. */
export const submitAutomatically = (
  { ecosystem, name, version }: PackageId,
  why: Pick<AutomaticSubmission, 'cause'> & Partial<AutomaticSubmission>,
): Promise<unknown> => {
  const automatic = { of: null, fixes: [], fingerprint: null, root: null, ...why };
  const batch = why.cause === 'install' ? {} : { batch: updatesBatch };
  const submission = {
    ...{ ecosystem, name, version, license: 'MIT', submitted_by: registryActor, ...batch },
    justification: describeCause(automatic),
  };
  return submitPackage(submission, writeContext(), { automatic });
};
