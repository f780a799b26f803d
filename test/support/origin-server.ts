import { createServer, type IncomingHttpHeaders, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { byEcosystem, ecosystems } from '../../shared/ecosystems/ecosystem.ts';
import { createOriginClient, type OriginSettings } from '../../shared/ecosystems/origin-client.ts';

/** A response: JSON of a value, a text or bytes unchanged, or the result of a function. */
export interface OriginReply {
  readonly status?: number;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: unknown;
  readonly act?: (response: ServerResponse) => void;
}

export interface OriginServer {
  readonly url: string;
  readonly host: string;
  /** Every request so far: path and query as sent, and the headers. */
  readonly requests: readonly { readonly path: string; readonly headers: IncomingHttpHeaders }[];
  /** Sets the response of a path; several replies are sent in turn, and then the last one again. */
  serve(path: string, ...replies: readonly OriginReply[]): void;
  close(): Promise<void>;
}

const send = (response: ServerResponse, { status = 200, headers = {}, body = '' }: OriginReply) => {
  const isRaw = typeof body === 'string' || Buffer.isBuffer(body);
  const type = isRaw ? 'text/html' : 'application/json';
  response.writeHead(status, { 'Content-Type': type, ...headers });
  response.end(isRaw ? body : JSON.stringify(body));
};

/** An origin on the loopback interface. It serves the configured paths, and answers everything else with 404. */
export const startOriginServer = async (): Promise<OriginServer> => {
  const requests: { path: string; headers: IncomingHttpHeaders }[] = [];
  const replies = new Map<string, OriginReply[]>();
  const server = createServer((request, response) => {
    const path = request.url ?? '';
    requests.push({ path, headers: request.headers });
    const waiting = replies.get(path);
    const reply = (waiting && waiting.length > 1 ? waiting.shift() : waiting?.[0]) ?? {
      status: 404,
      body: 'not found',
    };
    if (reply.act) reply.act(response);
    else send(response, reply);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const host = `127.0.0.1:${(server.address() as AddressInfo).port}`;
  return {
    url: `http://${host}`,
    host,
    requests,
    serve: (path, ...some) => void replies.set(path, [...some]),
    close: async () => {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
};

/** A client whose origins are this server, also Docker Hub's registry, with this base path for every ecosystem. */
export const askServer = (
  { url }: OriginServer,
  settings: Partial<OriginSettings> & { readonly path?: string } = {},
) => {
  const { path = '/', ...rest } = settings;
  const address = `${url}${path}`;
  return createOriginClient({
    addresses: byEcosystem(ecosystems, () => address),
    imageRegistries: [{ host: 'docker.io', url: address }],
    timeoutMs: 20_000,
    backoffMs: 1,
    ...rest,
  });
};

/** Serves the npm document of a package with version 1.0.0. */
export const serveNpmVersion = (origin: OriginServer, name: string, dist: object): void =>
  origin.serve(`/npm/${name}`, {
    body: {
      name,
      'dist-tags': { latest: '1.0.0' },
      time: { '1.0.0': '2024-03-01T10:00:00.000Z' },
      versions: { '1.0.0': { name, version: '1.0.0', license: 'MIT', dist } },
    },
  });
