import type { APIGatewayProxyEvent } from 'aws-lambda';
import { packagePath } from '../../api/paths.ts';
import { RegistryError } from '../../domain/errors.ts';
import type { PackageId } from '../../domain/packages/package-id.ts';
import { decodeUri } from '../../util/decode-uri.ts';

/** Returns the values of a header; its name is case-insensitive. */
const findSent = <V>(
  headers: Readonly<Record<string, V | null | undefined>> | null,
  name: string,
): V[] => {
  const wanted = name.toLowerCase();
  const found: V[] = [];
  for (const header in headers) {
    // Most names differ in length, so this check avoids a lower-case copy of each.
    if (header.length !== wanted.length || header.toLowerCase() !== wanted) continue;
    const value = headers[header] ?? undefined;
    if (value !== undefined) found.push(value);
  }
  return found;
};

/** Returns all values of a header, by its case-insensitive name; empty if it was not sent. */
export const readHeader = (event: APIGatewayProxyEvent, name: string): string[] => {
  const values = findSent(event.multiValueHeaders, name).flat();
  return values.length > 0 ? values : findSent(event.headers, name);
};

const dropEnd = (path: string): string => path.replace(/\/$/, '');

const greedyEnd = /\/\{(\w+)\+\}$/;

/** Returns the path from its greedy parameter on, as sent or as decoded by the gateway; without a trailing slash. */
export const readGreedyPath = ({ resource, pathParameters }: APIGatewayProxyEvent): string => {
  const [, name = ''] = greedyEnd.exec(resource) ?? [];
  return dropEnd(pathParameters?.[name] ?? '');
};

/**
 * Returns the path before the resource of a greedy route; undefined without a match. The parameter has any number of
 * segments, also with encoded slashes, so the path is compared from its end.
 */
const dropGreedy = (event: APIGatewayProxyEvent): string | undefined => {
  const fixed = event.resource.replace(greedyEnd, '');
  const whole = dropEnd(decodeUri(event.requestContext.path));
  const own = `${fixed}/${decodeUri(readGreedyPath(event))}`;
  return whole.endsWith(own) ? whole.slice(0, -own.length) : undefined;
};

/**
 * Returns the path prefix of the API in public URLs: the stage, or the base path of a custom domain.
 * @throws {RegistryError} `route_not_found` if the gateway's path differs from the path that was sent
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

/** Returns the address that the request was sent to, without a path. For the registry's own pages, this is their origin. */
export const findOrigin = (event: APIGatewayProxyEvent): string => {
  const protocol = readHeader(event, 'X-Forwarded-Proto')[0] ?? 'https';
  const host = readHeader(event, 'Host')[0] ?? event.requestContext.domainName;
  return `${protocol}://${host}`;
};

/** Returns the registry's base URL as the request addressed it, without a trailing slash. */
export const findBaseUrl = (event: APIGatewayProxyEvent): string =>
  `${findOrigin(event)}${findBasePath(event)}`;

/** Returns the absolute URL of a package version, under the base URL of the request. */
export const makeVersionUrl = (
  event: APIGatewayProxyEvent,
  { ecosystem, name, version }: PackageId,
): string => {
  const query = new URLSearchParams({ ecosystem, version });
  const path = packagePath.replace('{name}', encodeURIComponent(name));
  return `${findBaseUrl(event)}${path}?${query}`;
};

/** Returns absolute URLs of the request itself, each with other values of the same query parameters. */
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
