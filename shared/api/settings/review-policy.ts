import { readFileSync } from 'node:fs';
import { reviewPolicyFile } from '../resources.ts';

/** Returns the review policy as parsed JSON. The stack puts its file beside the function's code. */
export const readReviewPolicy = (): unknown =>
  JSON.parse(readFileSync(new URL(reviewPolicyFile, import.meta.url), 'utf8'));
