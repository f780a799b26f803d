/** Checks that hold for the response to any request. */
import type { Exchange, OwnRequest } from '@package-registry/local-aws';
import { checkAnswer } from '../../support/answer-check.ts';

/** The most characters of an error message: it need not list every error. */
const longestRefusal = 8 * 1024;

/** The most bytes of a Lambda response. */
const longestAnswer = 6 * 1024 * 1024;

/** @throws {Error} if the response is a fault of the registry, too long, or undocumented */
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
