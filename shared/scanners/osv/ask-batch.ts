import * as z from 'zod';
import { limitDeadline } from '../../util/deadline.ts';
import { runInParallel } from '../../util/in-parallel.ts';
import type { OutboundRetryOptions } from '../../util/outbound-http/request-within.ts';
import {
  catchUpstreamError,
  isSuccess,
  UpstreamError,
} from '../../util/outbound-http/upstream-error.ts';
import { OsvUnreachableError } from './osv-error.ts';
import type { OsvHttp } from './osv-http.ts';
import { OsvRecord } from './osv-record.ts';

/** OSV.dev query for the vulnerabilities of a version. `page_token` requests a further page. */
export interface OsvQuestion {
  readonly package: { readonly ecosystem: string; readonly name: string };
  readonly version: string;
  readonly page_token?: string;
}

const Page = z.object({
  vulns: z.array(z.object({ id: OsvRecord.shape.id })).nullish(),
  next_page_token: z.string().nullish(),
});

/** One page of vulnerability ids of a version. */
export type OsvPage = z.output<typeof Page>;

/** Batch response with results in the order of the queries. A malformed result affects only its query. */
const BatchAnswer = z.object({ results: z.array(z.unknown()) });

const path = '/v1/querybatch';

/** Number of parallel requests in the search for failing queries. */
const parallelParts = 8;

/** Query that always succeeds while OSV.dev is available. */
const control: OsvQuestion = {
  package: { ecosystem: 'npm', name: 'lodash' },
  version: '4.17.20',
};

const makeMalformedError = (): UpstreamError =>
  new UpstreamError(`OSV.dev returned an invalid response to ${path}`);

const readPage = (result: unknown): OsvPage | UpstreamError => {
  const page = Page.safeParse(result);
  return page.success ? page.data : makeMalformedError();
};

type Answers = ReadonlyMap<OsvQuestion, OsvPage | UpstreamError>;

const askTogether = async (
  http: OsvHttp,
  questions: readonly OsvQuestion[],
  retryOptions: OutboundRetryOptions,
): Promise<Answers> => {
  const request = { path, body: { queries: questions }, answer: BatchAnswer };
  const { results } = await http(request, retryOptions);
  if (results.length !== questions.length) {
    throw new UpstreamError(`OSV.dev answered ${results.length} of ${questions.length} queries`);
  }
  const pages = results.map(readPage);
  const [first] = pages;
  // If all results are malformed, OSV.dev may be at fault rather than the queries.
  if (first instanceof UpstreamError && !pages.some(isSuccess)) throw first;
  return new Map(questions.map((question, at) => [question, pages[at] ?? makeMalformedError()]));
};

/**
 * Returns the retry options of a batch. A batch of several queries gets a third of the time, and the search for failing
 * queries the rest.
 */
const shareTime = (
  questions: readonly OsvQuestion[],
  retryOptions: OutboundRetryOptions,
): OutboundRetryOptions => {
  const { deadline } = retryOptions;
  if (questions.length <= 1) return retryOptions;
  return { ...retryOptions, deadline: limitDeadline(deadline, deadline.remainingMs() / 3) };
};

/**
 * True if OSV.dev is unavailable, so that the queries are not at fault. Only a control query can show this, since even
 * a retryable failure may be caused by one query.
 */
const isOutage = async (http: OsvHttp, retryOptions: OutboundRetryOptions): Promise<boolean> => {
  const answers = await catchUpstreamError(() =>
    askTogether(http, [control], { ...retryOptions, attempts: 1 }),
  );
  return !isSuccess(answers) || answers.get(control) instanceof UpstreamError;
};

const halve = <T>(items: readonly T[]): (readonly T[])[] => {
  const middle = Math.ceil(items.length / 2);
  return [items.slice(0, middle), items.slice(middle)];
};

/**
 * Finds the queries that make a batch fail, by bisection. One failing query among a thousand takes about twenty
 * requests, and the total never exceeds two requests for each query. Queries that fail alone have the error as result.
 */
const isolate = async (
  http: OsvHttp,
  questions: readonly OsvQuestion[],
  retryOptions: OutboundRetryOptions,
): Promise<Answers> => {
  const answers = new Map<OsvQuestion, OsvPage | UpstreamError>();
  const ask = async (part: readonly OsvQuestion[]) => {
    const attempts = part.length === 1 ? 2 : 1;
    const outcome = await catchUpstreamError(() =>
      askTogether(http, part, { ...retryOptions, attempts }),
    );
    return { part, outcome };
  };
  let parts = halve(questions);
  while (parts.length > 0) {
    const failed: (readonly OsvQuestion[])[] = [];
    for (const { part, outcome } of await runInParallel(parts, parallelParts, ask)) {
      const [first] = part;
      if (isSuccess(outcome)) for (const [question, page] of outcome) answers.set(question, page);
      else if (first && part.length === 1) answers.set(first, outcome);
      else failed.push(part);
    }
    parts = failed.flatMap(halve);
  }
  return answers;
};

/**
 * Sends all queries in one batch. A failing query does not affect the others. If OSV.dev is unavailable, every result
 * is an `OsvUnreachableError`. Never throws an UpstreamError.
 */
export const askBatch = async (
  http: OsvHttp,
  questions: readonly OsvQuestion[],
  retryOptions: OutboundRetryOptions,
): Promise<Answers> => {
  const outcome = await catchUpstreamError(() =>
    askTogether(http, questions, shareTime(questions, retryOptions)),
  );
  if (isSuccess(outcome)) return outcome;
  if (await isOutage(http, retryOptions)) {
    const error = new OsvUnreachableError(outcome);
    return new Map(questions.map((question) => [question, error]));
  }
  if (questions.length > 1) return isolate(http, questions, retryOptions);
  return new Map(questions.map((question) => [question, outcome]));
};
