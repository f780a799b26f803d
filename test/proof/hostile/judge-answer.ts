/** What every answer has to be, whatever was asked. */
import type { Exchange, OwnRequest } from 'local-aws';
import { checkAnswer } from '../../support/answer-check.ts';

/** A refusal says what is wrong, and not all that is. */
const longestRefusal = 8 * 1024;

/** What Lambda lets a function answer with. */
const longestAnswer = 6 * 1024 * 1024;

/** @throws {Error} where the answer is one of the registry's own faults, too long, or none of the document's */
export const judgeAnswer = ({ method, target }: OwnRequest, answer: Exchange['answer']): void => {
  const { status, body } = answer;
  const bytes = Buffer.byteLength(body);
  if (status >= 500) throw new Error(`${status} to ${method} ${target}: ${body}`);
  if (bytes > (status >= 400 ? longestRefusal : longestAnswer)) {
    throw new Error(`${bytes} bytes with ${status} to ${method} ${target}`);
  }
  const [path = ''] = target.split('?');
  checkAnswer({ method, path, answer });
};
