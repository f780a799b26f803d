import { readFileSync } from 'node:fs';
import { reviewPolicyFile } from '../resources.ts';

/** What the stack has put beside the function's code as the policy of reviews, as JSON says it. */
export const readReviewPolicy = (): unknown =>
  JSON.parse(readFileSync(new URL(reviewPolicyFile, import.meta.url), 'utf8'));
