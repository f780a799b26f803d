import * as z from 'zod';
import { limitDeadline } from '../../util/deadline.ts';
import { runInParallel } from '../../util/in-parallel.ts';
import type { OutboundRetryOptions } from '../../util/outbound-http/request-within.ts';
import { AskError, catchAskError, isSuccess } from '../../util/outbound-http/upstream-error.ts';
import { OsvUnreachableError } from './osv-error.ts';
import type { OsvHttp } from './osv-http.ts';
import { OsvRecord } from './osv-record.ts';

/** What is known against a version; with a token, from one page on. */
export interface OsvQuestion {
  readonly package: { readonly ecosystem: string; readonly name: string };
  readonly version: string;
  readonly page_token?: string;
}

const Page = z.object({
  vulns: z.array(z.object({ id: OsvRecord.shape.id })).nullish(),
  next_page_token: z.string().nullish(),
});

/** One page of the ids of the records against one version. */
export type OsvPage = z.output<typeof Page>;

/** The answers in the order of the questions: one that is malformed is nobody else's fault. */
const BatchAnswer = z.object({ results: z.array(z.unknown()) });

const path = '/v1/querybatch';

/** Among so many parts at once it is looked for the questions that make a batch fail. */
const parallelParts = 8;

/** A question that OSV.dev surely answers. */
const control: OsvQuestion = {
  package: { ecosystem: 'npm', name: 'lodash' },
  version: '4.17.20',
};

const makeMalformedError = (): AskError =>
  new AskError(`OSV.dev answered ${path} with something that is not in its format`);

const readPage = (result: unknown): OsvPage | AskError => {
  const page = Page.safeParse(result);
  return page.success ? page.data : makeMalformedError();
};

type Answers = ReadonlyMap<OsvQuestion, OsvPage | AskError>;

const askTogether = async (
  http: OsvHttp,
  questions: readonly OsvQuestion[],
  retryOptions: OutboundRetryOptions,
): Promise<Answers> => {
  const request = { path, body: { queries: questions }, answer: BatchAnswer };
  const { results } = await http(request, retryOptions);
  if (results.length !== questions.length) {
    throw new AskError(`OSV.dev answered ${results.length} of ${questions.length} questions`);
  }
  const pages = results.map(readPage);
  const [first] = pages;
  // Where nothing makes sense, it may be OSV.dev and not the questions.
  if (first instanceof AskError && !pages.some(isSuccess)) throw first;
  return new Map(questions.map((question, at) => [question, pages[at] ?? makeMalformedError()]));
};

/** Several questions together get a third of the time: the rest is for finding out which of them is to blame. */
const shareTime = (
  questions: readonly OsvQuestion[],
  retryOptions: OutboundRetryOptions,
): OutboundRetryOptions => {
  const { deadline } = retryOptions;
  if (questions.length <= 1) return retryOptions;
  return { ...retryOptions, deadline: limitDeadline(deadline, deadline.remainingMs() / 3) };
};

/**
 * Whether OSV.dev answers nobody, so that the questions are not to blame. Only one more question can tell: a fault that
 * asks to wait, too, may come of one of them.
 */
const isOutage = async (http: OsvHttp, retryOptions: OutboundRetryOptions): Promise<boolean> => {
  const answers = await catchAskError(() =>
    askTogether(http, [control], { ...retryOptions, attempts: 1 }),
  );
  return !isSuccess(answers) || answers.get(control) instanceof AskError;
};

const halve = <T>(items: readonly T[]): (readonly T[])[] => {
  const middle = Math.ceil(items.length / 2);
  return [items.slice(0, middle), items.slice(middle)];
};

/**
 * Finds out which questions make a batch fail, by asking it in ever smaller parts: one among a thousand in twenty
 * requests, and never in more than two requests a question. Those that fail alone have the error.
 */
const isolate = async (
  http: OsvHttp,
  questions: readonly OsvQuestion[],
  retryOptions: OutboundRetryOptions,
): Promise<Answers> => {
  const answers = new Map<OsvQuestion, OsvPage | AskError>();
  const ask = async (part: readonly OsvQuestion[]) => {
    const attempts = part.length === 1 ? 2 : 1;
    const told = await catchAskError(() => askTogether(http, part, { ...retryOptions, attempts }));
    return { part, told };
  };
  let parts = halve(questions);
  while (parts.length > 0) {
    const failed: (readonly OsvQuestion[])[] = [];
    for (const { part, told } of await runInParallel(parts, parallelParts, ask)) {
      const [first] = part;
      if (isSuccess(told)) for (const [question, page] of told) answers.set(question, page);
      else if (first && part.length === 1) answers.set(first, told);
      else failed.push(part);
    }
    parts = failed.flatMap(halve);
  }
  return answers;
};

/**
 * Asks all questions at once. Whatever goes wrong with one of them costs that one alone. Where OSV.dev answers nobody,
 * each has an `OsvUnreachableError`. Never throws an AskError.
 */
export const askBatch = async (
  http: OsvHttp,
  questions: readonly OsvQuestion[],
  retryOptions: OutboundRetryOptions,
): Promise<Answers> => {
  const told = await catchAskError(() =>
    askTogether(http, questions, shareTime(questions, retryOptions)),
  );
  if (isSuccess(told)) return told;
  if (await isOutage(http, retryOptions)) {
    const error = new OsvUnreachableError(told);
    return new Map(questions.map((question) => [question, error]));
  }
  if (questions.length > 1) return isolate(http, questions, retryOptions);
  return new Map(questions.map((question) => [question, told]));
};
