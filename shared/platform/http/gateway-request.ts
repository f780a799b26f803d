import type { APIGatewayProxyEvent } from 'aws-lambda';
import { packagePath } from '../../api/paths.ts';
import { RegistryError } from '../../domain/errors.ts';
import type { PackageId } from '../../domain/packages/package-id.ts';
import { decodeUri } from '../../util/decode-uri.ts';

/** What was sent by a name, whatever case its letters were in. */
const findSent = <V>(
  headers: Readonly<Record<string, V | null | undefined>> | null,
  name: string,
): V[] => {
  const wanted = name.toLowerCase();
  const found: V[] = [];
  for (const header in headers) {
    // Most names have another length, which is seen without a copy of them in small letters.
    if (header.length !== wanted.length || header.toLowerCase() !== wanted) continue;
    const value = headers[header] ?? undefined;
    if (value !== undefined) found.push(value);
  }
  return found;
};

/** Every value that a header was sent with, whatever case its name was in; empty if it was not sent. */
export const readHeader = (event: APIGatewayProxyEvent, name: string): string[] => {
  const values = findSent(event.multiValueHeaders, name).flat();
  return values.length > 0 ? values : findSent(event.headers, name);
};

const dropEnd = (path: string): string => path.replace(/\/$/, '');

const greedyEnd = /\/\{(\w+)\+\}$/;

/** What a path is from its greedy parameter on, as it was sent or as the gateway decoded it; without a slash at its end. */
export const readGreedyPath = ({ resource, pathParameters }: APIGatewayProxyEvent): string => {
  const [, name = ''] = greedyEnd.exec(resource) ?? [];
  return dropEnd(pathParameters?.[name] ?? '');
};

/** A greedy parameter has any number of segments, and slashes in it may be encoded: only its end can be told. */
const dropGreedy = (event: APIGatewayProxyEvent): string | undefined => {
  const fixed = event.resource.replace(greedyEnd, '');
  const whole = dropEnd(decodeUri(event.requestContext.path));
  const own = `${fixed}/${decodeUri(readGreedyPath(event))}`;
  return whole.endsWith(own) ? whole.slice(0, -own.length) : undefined;
};

/**
 * What stands before the API's own paths at the outside: the stage, or a custom domain's base path.
 * @throws {RegistryError} where the gateway has read the path as another one than it was sent
 */
const findBasePath = (event: APIGatewayProxyEvent): string => {
  if (greedyEnd.test(event.resource)) {
    const base = dropGreedy(event);
    if (base !== undefined) return base;
    throw new RegistryError('route_not_found', 'Give the path with single slashes, encoded once.');
  }
  const depth = event.resource.split('/').filter(Boolean).length;
  const segments = event.requestContext.path.split('/').filter(Boolean);
  const base = segments.slice(0, segments.length - depth);
  return base.map((segment) => `/${segment}`).join('');
};

/** The address by which the request came, without a path: of a browser's own pages, their origin. */
export const findOrigin = (event: APIGatewayProxyEvent): string => {
  const protocol = readHeader(event, 'X-Forwarded-Proto')[0] ?? 'https';
  const host = readHeader(event, 'Host')[0] ?? event.requestContext.domainName;
  return `${protocol}://${host}`;
};

/** The address by which the request came to the registry, without a slash at its end. */
export const findBaseUrl = (event: APIGatewayProxyEvent): string =>
  `${findOrigin(event)}${findBasePath(event)}`;

/** The absolute URL of a package version, at the address by which the request came. */
export const makeVersionUrl = (
  event: APIGatewayProxyEvent,
  { ecosystem, name, version }: PackageId,
): string => {
  const query = new URLSearchParams({ ecosystem, version });
  const path = packagePath.replace('{name}', encodeURIComponent(name));
  return `${findBaseUrl(event)}${path}?${query}`;
};

/** The absolute URLs of the request itself, with other values of the same parameters in each. */
export const makeSameUrls = <Name extends string>(
  event: APIGatewayProxyEvent,
  values: readonly Readonly<Record<Name, string | number>>[],
): string[] => {
  const query = new URLSearchParams();
  for (const [name, value] of Object.entries(event.queryStringParameters ?? {})) {
    if (value !== undefined) query.set(name, value);
  }
  const path = `${findOrigin(event)}${event.requestContext.path}`;
  return values.map((parameters) => {
    for (const name in parameters) query.set(name, String(parameters[name]));
    return `${path}?${query}`;
  });
};
