import { createHash } from 'node:crypto';
import type { APIGatewayProxyEvent } from 'aws-lambda';
import type { HttpAnswer } from '../../api/http-answer.ts';
import type { Page } from '../../api/non-api-routes.ts';
import { RegistryError } from '../../domain/errors.ts';
import { composeHandler } from './endpoint.ts';
import { readHeader } from './gateway-request.ts';

/** Headers of pages. Clients may cache a page, but must revalidate it before each use. */
const pageHeaders = { 'Cache-Control': 'no-cache', 'X-Content-Type-Options': 'nosniff' } as const;

export const makeTag = (text: string): string =>
  `"${createHash('sha256').update(text).digest('base64url').slice(0, 27)}"`;

/** True if the client sent a tag of its copy. */
export const hasTag = (event: APIGatewayProxyEvent): boolean =>
  readHeader(event, 'If-None-Match').length > 0;

const readTags = (event: APIGatewayProxyEvent): readonly string[] =>
  readHeader(event, 'If-None-Match')
    .flatMap((value) => value.split(','))
    .map((value) => value.trim().replace(/^W\//, ''));

/** True if the client sent exactly this tag. Unlike `*`, the tag shows that there was an answer. */
export const sentTag = (event: APIGatewayProxyEvent, tag: string): boolean =>
  readTags(event).includes(tag);

/** True if the client already has the answer with this tag (RFC 9110, 13.1.2). Weak tags count as equal. */
export const isKnown = (event: APIGatewayProxyEvent, tag: string): boolean =>
  readTags(event).some((value) => value === tag || value === '*');

/** Throws for methods other than GET and HEAD. @throws {RegistryError} `route_not_found` */
export const checkMethod = ({ httpMethod }: APIGatewayProxyEvent): void => {
  if (httpMethod === 'GET' || httpMethod === 'HEAD') return;
  throw new RegistryError('route_not_found', 'This page is there to be read: send GET or HEAD.');
};

/** Text of a page, and its own headers. */
interface Rendered {
  readonly text: string;
  readonly headers: HttpAnswer['headers'];
}

/** Returns the handler of a page. The answer has an `ETag`, and is a 304 without body if the client has it already. */
export const page = (
  { contentType }: Page,
  render: (event: APIGatewayProxyEvent) => Rendered | string,
  pageOwn: HttpAnswer['headers'] = {},
) =>
  composeHandler(async (_, event): Promise<HttpAnswer> => {
    checkMethod(event);
    const rendered = render(event);
    const { text: body, headers: own } =
      typeof rendered === 'string' ? { text: rendered, headers: {} } : rendered;
    const tag = makeTag(body);
    const common = { 'Content-Type': contentType, ...pageHeaders };
    const headers = { ...common, ...pageOwn, ...own, ETag: tag };
    if (isKnown(event, tag)) return { statusCode: 304, headers, body: '' };
    // The gateway removes the body from answers to HEAD.
    return { statusCode: 200, headers, body };
  });
