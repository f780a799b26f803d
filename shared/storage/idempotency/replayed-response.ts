import type { HttpAnswer } from '../../api/http-answer.ts';

/** The request was answered before; here is that answer again. */
export class ReplayedResponse extends Error {
  override readonly name = 'ReplayedResponse';
  readonly answer: HttpAnswer;

  constructor(answer: HttpAnswer) {
    super('This request was answered before');
    this.answer = answer;
  }
}
