import type { APIGatewayProxyEvent } from 'aws-lambda';
import type { HttpAnswer } from '../../api/http-answer.ts';
import type { Page } from '../../api/non-api-routes.ts';
import type { AnswerOf, Route } from '../../api/route.ts';
import { composeHandler, makeSuccessAnswer } from './endpoint.ts';
import { findBaseUrl, readHeader } from './gateway-request.ts';
import { commonHeaders } from './problem.ts';
import { validation } from './validation.ts';

/** True if the client accepts HTML and not JSON. A client that accepts any type gets JSON. */
const wantsHtml = (event: APIGatewayProxyEvent): boolean => {
  const accepted = readHeader(event, 'Accept').join(',');
  return accepted.includes('text/html') && !accepted.includes('application/json');
};

/** Returns the handler of a public endpoint that redirects browsers to a page. `run` receives the registry's base URL. */
export const leadingEndpoint = <R extends Route & { scope?: undefined; leadsBrowsers: true }>(
  route: R,
  page: Page,
  run: (base: string) => Promise<AnswerOf<R>>,
) =>
  composeHandler(
    async (_, event): Promise<HttpAnswer> => {
      const base = findBaseUrl(event);
      const vary = { Vary: 'Accept' };
      if (wantsHtml(event)) {
        const headers = { ...commonHeaders, ...vary, Location: `${base}${page.path}` };
        return { statusCode: 302, headers, body: '' };
      }
      const answer = makeSuccessAnswer(route, await run(base));
      return { ...answer, headers: { ...answer.headers, ...vary } };
    },
    [validation(route)],
  );
