/** The answer that an Idempotency-Key stands for. */
export interface StoredAnswer {
  readonly statusCode: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

/** The request was answered before; here is that answer again. */
export class AnsweredBeforeError extends Error {
  override readonly name = 'AnsweredBeforeError';
  readonly answer: StoredAnswer;

  constructor(answer: StoredAnswer) {
    super('This request was answered before');
    this.answer = answer;
  }
}
