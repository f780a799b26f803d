import { createHash } from 'node:crypto';
import type { APIGatewayProxyEvent } from 'aws-lambda';
import type { HttpAnswer } from '../../api/http-answer.ts';
import type { Page } from '../../api/non-api-routes.ts';
import { RegistryError } from '../../domain/errors.ts';
import { composeHandler } from './endpoint.ts';
import { readHeader } from './gateway-request.ts';

/** A page may be kept, but not shown again without asking whether it is still the same. */
const pageHeaders = { 'Cache-Control': 'no-cache', 'X-Content-Type-Options': 'nosniff' } as const;

export const makeTag = (text: string): string =>
  `"${createHash('sha256').update(text).digest('base64url').slice(0, 27)}"`;

/** Whether the client has this very answer already (RFC 9110, 13.1.2). Tags of other strength are as good. */
export const isKnown = (event: APIGatewayProxyEvent, tag: string): boolean =>
  readHeader(event, 'If-None-Match')
    .flatMap((value) => value.split(','))
    .map((value) => value.trim().replace(/^W\//, ''))
    .some((value) => value === tag || value === '*');

/** @throws {RegistryError} for what is not only read */
export const checkMethod = ({ httpMethod }: APIGatewayProxyEvent): void => {
  if (httpMethod === 'GET' || httpMethod === 'HEAD') return;
  throw new RegistryError('route_not_found', 'This page is there to be read: send GET or HEAD.');
};

/** The text of a page, and headers that only this text has. */
interface Rendered {
  readonly text: string;
  readonly headers: HttpAnswer['headers'];
}

/** The handler of a page: `render` gives its text, which goes out with a tag, or not at all where the client has it. */
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
    // The gateway leaves the body out where HEAD was asked for.
    return { statusCode: 200, headers, body };
  });
