import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { setTimeout as wait } from 'node:timers/promises';
import { type OsvRecordExample, osvRecords } from './osv-records.ts';

/** A fault of the server in place of a response. */
export type OsvFault =
  | { readonly kind: 'status'; readonly status: number; readonly retryAfter?: string }
  /** Never responds; calls `met` for such a request. */
  | { readonly kind: 'silence'; readonly met?: () => void }
  /** Responds after this promise. */
  | { readonly kind: 'slow'; readonly afterMs: number }
  | { readonly kind: 'reset' }
  | { readonly kind: 'body'; readonly body: string };

/** One request, with its queries. */
export interface OsvServerRequest {
  readonly path: string;
  readonly body: unknown;
}

export interface OsvServer {
  readonly url: string;
  /** Every request so far, including those with a fault. */
  readonly requests: readonly OsvServerRequest[];
  /**
   * Injects a fault into the next requests: `times` of them (default: all), with a path that starts with `path`, and with a
   * query for the package `about`.
   */
  fail(
    fault: OsvFault,
    where?: { readonly times?: number; readonly path?: string; readonly about?: string },
  ): void;
  /** Sends an invalid response to queries for packages of this name, and normal responses to others. */
  garble(about: string): void;
  /** Ends all faults. */
  recover(): void;
  /** Limits the records of a page from now on. */
  page(size: number): void;
  /** Sets the records of `ecosystem/name/version`, such as `npm/lodash/4.17.20`. */
  know(version: string, records: readonly OsvRecordExample[]): void;
  close(): Promise<void>;
}

interface Query {
  readonly package: { readonly ecosystem: string; readonly name: string };
  readonly version: string;
  readonly page_token?: string;
}

type Known = Map<string, readonly OsvRecordExample[]>;

/** The records of each version by `ecosystem/name/version`. Other versions have none. */
const knownAgainst: Readonly<Record<string, readonly OsvRecordExample[]>> = {
  'npm/lodash/4.17.20': [osvRecords.lodashTemplate, osvRecords.lodashTrim],
  'Maven/org.apache.logging.log4j:log4j-core/2.14.1': [
    osvRecords.log4shell,
    osvRecords.log4jHostName,
  ],
  'Maven/org.apache.logging.log4j:log4j-core/2.17.1': [osvRecords.log4jHostName],
  'PyPI/jinja2/2.11.2': [osvRecords.jinjaGithub, osvRecords.jinjaPypa, osvRecords.jinjaXmlattr],
  'PyPI/jinja2/2.11.3': [osvRecords.jinjaXmlattr],
  'PyPI/requests/2.19.1': [osvRecords.requestsRedirect],
};

const send = (response: ServerResponse, status: number, body: unknown): void => {
  response.writeHead(status, { 'Content-Type': 'application/json' });
  response.end(typeof body === 'string' ? body : JSON.stringify(body));
};

const meet = (fault: OsvFault, request: IncomingMessage, response: ServerResponse): void => {
  if (fault.kind === 'silence') fault.met?.();
  if (fault.kind === 'reset') request.socket.resetAndDestroy();
  if (fault.kind === 'body') send(response, 200, fault.body);
  if (fault.kind === 'status') {
    if (fault.retryAfter !== undefined) response.setHeader('Retry-After', fault.retryAfter);
    send(response, fault.status, { code: fault.status, message: 'a fault of this test' });
  }
};

/** The server's records, and its page size. */
interface Knowledge {
  readonly known: Known;
  pageSize: number;
  garbled: string | undefined;
}

/** One page of a version's records; the token is the position of the next record. */
const pageFor = (
  { package: asked, version, page_token = '0' }: Query,
  { known, pageSize }: Knowledge,
) => {
  const records = known.get(`${asked.ecosystem}/${asked.name}/${version}`) ?? [];
  const end = Number(page_token) + pageSize;
  const vulns = records.slice(Number(page_token), end);
  return {
    ...(vulns.length > 0 && { vulns }),
    ...(end < records.length && { next_page_token: String(end) }),
  };
};

const batchFor = (queries: readonly Query[], knowledge: Knowledge) => ({
  results: queries.map((query) => {
    if (query.package.name === knowledge.garbled) return { vulns: 'garbled' };
    const { vulns, ...rest } = pageFor(query, knowledge);
    return {
      ...(vulns && { vulns: vulns.map(({ id, modified }) => ({ id, modified })) }),
      ...rest,
    };
  }),
});

const answer = (
  { path, body }: OsvServerRequest,
  knowledge: Knowledge,
): [status: number, body: unknown] => {
  if (path === '/v1/querybatch') {
    return [200, batchFor((body as { queries: Query[] }).queries, knowledge)];
  }
  const id = decodeURIComponent(path.replace('/v1/vulns/', ''));
  const record = [...knowledge.known.values()].flat().find((known) => known.id === id);
  return record ? [200, record] : [404, { code: 5, message: 'Bug not found.' }];
};

const asksAbout = (body: unknown, name: string): boolean =>
  ((body as { queries?: Query[] } | undefined)?.queries ?? []).some(
    (query) => query.package.name === name,
  );

/** A server on the loopback interface with OSV.dev's responses for a few real package versions. */
export const startOsvServer = async (): Promise<OsvServer> => {
  const requests: OsvServerRequest[] = [];
  let faults: { fault: OsvFault; left: number; path: string; about: string | undefined }[] = [];
  const knowledge: Knowledge = {
    known: new Map(Object.entries(knownAgainst)),
    pageSize: Number.POSITIVE_INFINITY,
    garbled: undefined,
  };

  const faultFor = ({ path, body }: OsvServerRequest): OsvFault | undefined => {
    const next = faults.find(
      (entry) =>
        entry.left > 0 &&
        path.startsWith(entry.path) &&
        (entry.about === undefined || asksAbout(body, entry.about)),
    );
    if (next) next.left -= 1;
    return next?.fault;
  };

  const server = createServer(async (request, response) => {
    const path = request.url ?? '';
    const content = await text(request);
    const body: unknown = content === '' ? undefined : JSON.parse(content);
    requests.push({ path, body });
    const fault = faultFor({ path, body });
    if (fault?.kind === 'slow') await wait(fault.afterMs);
    else if (fault) return meet(fault, request, response);
    send(response, ...answer({ path, body }, knowledge));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));

  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    requests,
    fail: (fault, { times = Number.POSITIVE_INFINITY, path = '/', about } = {}) => {
      faults.push({ fault, left: times, path, about });
    },
    garble: (about) => {
      knowledge.garbled = about;
    },
    recover: () => {
      faults = [];
      knowledge.garbled = undefined;
    },
    page: (size) => {
      knowledge.pageSize = size;
    },
    know: (version, records) => {
      knowledge.known.set(version, records);
    },
    close: async () => {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
};
