import type { APIGatewayProxyEvent } from 'aws-lambda';
import { makeSameUrls } from './gateway-request.ts';

interface Page {
  readonly total: number;
  readonly limit: number;
  readonly offset: number;
}

/** Returns the `Link` header of an offset-paged list, with its next and previous pages, if any (RFC 8288). */
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

/** Returns a builder of the `Link: rel=next` header of a cursor-paged list. `parameter` names the cursor's query parameter. */
export const makeNextLink =
  (parameter: string) =>
  ({ next }: { readonly next: string | null }, event: APIGatewayProxyEvent): { Link?: string } => {
    if (next === null) return {};
    const [url] = makeSameUrls(event, [{ [parameter]: next }]);
    return { Link: `<${url}>; rel="next"` };
  };
