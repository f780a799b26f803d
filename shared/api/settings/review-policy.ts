import { readFileSync } from 'node:fs';
import { reviewPolicyFile } from '../resources.ts';
import { readCodeFolder } from './env.ts';

/** Returns the review policy as parsed JSON. The stack puts its file beside the function's code. */
export const readReviewPolicy = (): unknown =>
  JSON.parse(readFileSync(`${readCodeFolder()}/${reviewPolicyFile}`, 'utf8'));
