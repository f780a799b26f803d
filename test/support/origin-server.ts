import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';

/** What an origin answers to a path. */
export interface OriginAnswer {
  readonly status?: number;
  readonly headers?: Readonly<Record<string, string>>;
  /** Sent as JSON, unless it is text. */
  readonly body?: unknown;
}

/** The origins of all ecosystems, each below a path of its name. */
export interface OriginServer {
  readonly url: string;
  /** The paths that were asked for so far. */
  readonly requests: readonly string[];
  /** What is answered to a path from now on, such as `/npm/left-pad`; any other is not found. */
  tell(path: string, answer: OriginAnswer): void;
  /** Publishes a version on npm, as its registry tells of it. */
  publish(name: string, version: string, more?: Readonly<Record<string, unknown>>): void;
  close(): Promise<void>;
}

/** Starts origins that have nothing yet. */
export const startOriginServer = async (): Promise<OriginServer> => {
  const answers = new Map<string, OriginAnswer>();
  const requests: string[] = [];
  const server = createServer((request, response) => {
    const path = decodeURIComponent(request.url ?? '/');
    requests.push(path);
    const { status = 200, headers = {}, body } = answers.get(path) ?? { status: 404, body: {} };
    response.writeHead(status, { 'content-type': 'application/json', ...headers });
    response.end(typeof body === 'string' ? body : JSON.stringify(body));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const tell: OriginServer['tell'] = (path, answer) => {
    answers.set(path, answer);
  };
  return {
    url,
    requests,
    tell,
    publish: (name, version, { publishedAt = '2024-03-01T10:00:00.000Z', ...more } = {}) => {
      const tarball = `${url}/npm/${name}/-/${name}-${version}.tgz`;
      const dist = { tarball, shasum: '5b8a3a7765dfe001261dde915589e782f8c94d1e' };
      tell(`/npm/${name}`, {
        body: {
          name,
          'dist-tags': { latest: version },
          time: { [version]: publishedAt },
          versions: { [version]: { name, version, license: 'MIT', dist, ...more } },
        },
      });
    },
    close: () =>
      new Promise((resolve) => {
        server.closeAllConnections();
        server.close(() => resolve());
      }),
  };
};
