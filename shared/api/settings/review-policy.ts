import { readFileSync } from 'node:fs';
import { reviewPolicyFile } from '../resources.ts';
import { ReviewPolicy } from '../schemas/policy.ts';
import { readCodeFolder } from './env.ts';

/**
 * Returns the review policy. The stack puts its file beside the function's code, so it is constant for the life of a function
 * instance.
 */
export const readReviewPolicy = (): ReviewPolicy =>
  ReviewPolicy.parse(JSON.parse(readFileSync(`${readCodeFolder()}/${reviewPolicyFile}`, 'utf8')));
