import type { APIGatewayProxyEvent } from 'aws-lambda';
import { makeSameUrl } from './gateway-request.ts';

interface Page {
  readonly total: number;
  readonly limit: number;
  readonly offset: number;
}

/** The `Link` header of a page: the next and the previous one, where there are any (RFC 8288). */
export const makePageLinks = (
  { total, limit, offset }: Page,
  event: APIGatewayProxyEvent,
): { Link?: string } => {
  const link = (rel: string, at: number): string =>
    `<${makeSameUrl(event, { limit, offset: at })}>; rel="${rel}"`;
  const links = [
    ...(offset + limit < total ? [link('next', offset + limit)] : []),
    ...(offset > 0 ? [link('prev', Math.max(0, Math.min(offset, total) - limit))] : []),
  ];
  return links.length > 0 ? { Link: links.join(', ') } : {};
};

/** The same of a page that says where the next one begins; `parameter` is what takes that. */
export const makeNextLink =
  (parameter: string) =>
  ({ next }: { readonly next: string | null }, event: APIGatewayProxyEvent): { Link?: string } =>
    next === null ? {} : { Link: `<${makeSameUrl(event, { [parameter]: next })}>; rel="next"` };
