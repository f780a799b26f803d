import { once } from 'node:events';
import { createServer, request as forward } from 'node:http';
import { type AddressInfo, connect } from 'node:net';

export interface TestProxy {
  readonly url: string;
  /** The requested hosts, such as `registry.test:80`. */
  readonly asked: string[];
  readonly close: () => Promise<void>;
}

/** A proxy that forwards every plain HTTP host to `target`, and refuses every TLS host. */
export const startProxy = async (target: string): Promise<TestProxy> => {
  const { hostname, port } = new URL(target);
  const asked: string[] = [];
  const server = createServer((request, response) => {
    const { host, pathname, search } = new URL(request.url ?? '');
    asked.push(host);
    const { method, headers } = request;
    const onward = forward({ hostname, port, method, headers, path: `${pathname}${search}` });
    onward.on('response', (answer) => {
      response.writeHead(answer.statusCode ?? 502, answer.headers);
      answer.pipe(response);
    });
    request.pipe(onward);
  });
  server.on('connect', (request, socket) => {
    asked.push(request.url ?? '');
    if (request.url?.endsWith(':443')) {
      socket.end('HTTP/1.1 502 Bad Gateway\r\n\r\n');
      return;
    }
    const onward = connect(Number(port), hostname, () => {
      socket.write('HTTP/1.1 200 Connection Established\r\n\r\n');
      socket.pipe(onward).pipe(socket);
    });
    onward.on('error', () => socket.destroy());
    socket.on('error', () => onward.destroy());
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    asked,
    close: async () => {
      server.close();
      server.closeAllConnections();
    },
  };
};
