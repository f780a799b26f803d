import type { APIGatewayProxyEvent } from 'aws-lambda';
import { makeSameUrls } from './gateway-request.ts';

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
  const next = offset + limit;
  const places = [
    ...(next < total ? [{ rel: 'next', offset: next }] : []),
    ...(offset > 0 ? [{ rel: 'prev', offset: Math.max(0, Math.min(offset, total) - limit) }] : []),
  ];
  if (places.length === 0) return {};
  const urls = makeSameUrls(
    event,
    places.map((place) => ({ limit, offset: place.offset })),
  );
  return { Link: urls.map((url, at) => `<${url}>; rel="${places[at]?.rel}"`).join(', ') };
};

/** The same of a page that says where the next one begins; `parameter` is what takes that. */
export const makeNextLink =
  (parameter: string) =>
  ({ next }: { readonly next: string | null }, event: APIGatewayProxyEvent): { Link?: string } => {
    if (next === null) return {};
    const [url] = makeSameUrls(event, [{ [parameter]: next }]);
    return { Link: `<${url}>; rel="next"` };
  };
