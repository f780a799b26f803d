import type { HttpAnswer } from '../../api/http-answer.ts';

/** Stored answer of an earlier request with the same Idempotency-Key, thrown to send it again. */
export class ReplayedResponse extends Error {
  override readonly name = 'ReplayedResponse';
  readonly answer: HttpAnswer;

  constructor(answer: HttpAnswer) {
    super('This request was answered before');
    this.answer = answer;
  }
}
