import type { PackageId } from '../../shared/domain/packages/package-id.ts';
import type { SubmissionRequest } from '../../shared/platform/worker/events/submission-request.ts';
import { functionOf } from './functions.ts';
import type { TestRegistry } from './registry.ts';

/** Has the worker of a test registry submit a version, as a message of its queue does. */
export const requestSubmission = async (
  { stack }: TestRegistry,
  { ecosystem, name, version }: PackageId,
  why: Pick<SubmissionRequest, 'cause' | 'of'> & Partial<SubmissionRequest>,
): Promise<void> => {
  const request = {
    ecosystem,
    name,
    version,
    range: null,
    fixes: [],
    root: null,
    by: null,
    ...why,
  };
  const event = { Records: [{ messageId: 'm', body: JSON.stringify(request) }] };
  await stack.invoke(functionOf(stack.model, 'submit-requested').id, event);
};
