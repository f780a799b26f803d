import {
  readMinimumAgeDays,
  readOriginSettings,
  readSubmissionRules,
  readUpdatesPerDay,
} from '../shared/api/settings/env.ts';
import { readReviewPolicy } from '../shared/api/settings/review-policy.ts';
import { createOriginClient } from '../shared/ecosystems/origin-client.ts';
import { createFindAuthorization } from '../shared/platform/auth/upstream-accounts.ts';
import { QueueEvent } from '../shared/platform/worker/events/queue-event.ts';
import { worker } from '../shared/platform/worker/worker.ts';
import { chooseTarget } from '../shared/storage/catalogue/target.ts';
import { submitRequested } from '../shared/use-cases/submissions/submit-requested.ts';

/** Time limit for the requests about one package, so that a batch of ten and its writes fit into the function's time. */
const originDeadlineMs = 10_000;

const policy = readReviewPolicy();

export const handler = worker(QueueEvent, (event, deadline) =>
  submitRequested(event, {
    client: createOriginClient({
      ...readOriginSettings(),
      findAuthorization: createFindAuthorization(),
      deadlineMs: originDeadlineMs,
    }),
    ages: { policy, minimumAgeDays: readMinimumAgeDays() },
    ...readSubmissionRules(),
    updatesPerDay: readUpdatesPerDay(),
    catalogue: chooseTarget(),
    now: new Date(),
    deadline,
  }),
);
