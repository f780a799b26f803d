/** HTTP servers on the loopback interface, which other machines cannot reach. */
import { once } from 'node:events';
import type { Server as HttpServer } from 'node:http';
import { createServer, type Server } from 'node:net';
import { StartError } from './start-error.ts';

export interface ListeningServer {
  /** `http://127.0.0.1:<port>`, without a trailing slash. */
  readonly url: string;
  readonly port: number;
  /** Stops listening, waits up to 2 seconds for requests in progress, then closes every connection. */
  close(): Promise<void>;
}

/** Thrown if another program uses the port, or if its use is not permitted. */
class PortError extends StartError {
  override name = 'PortError';
}

export const loopback = '127.0.0.1';

const reasons: Readonly<Record<string, string>> = {
  EADDRINUSE: 'is in use by another program',
  EACCES: 'may not be used without more rights',
};

const listen = async (server: Server, port: number): Promise<number> => {
  server.listen(port, loopback);
  try {
    await once(server, 'listening');
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? String(error.code) : '';
    throw new PortError(`port ${port} ${reasons[code] ?? code}`, { cause: error });
  }
  const address = server.address();
  return typeof address === 'object' && address ? address.port : port;
};

/**
 * Grace period for requests in progress when a server closes, and interval of its checks for idle connections, in
 * milliseconds.
 */
const graceMs = 2000;
const sweepMs = 20;

const closeServer = async (server: HttpServer): Promise<void> => {
  const sweep = setInterval(() => server.closeIdleConnections(), sweepMs);
  const limit = setTimeout(() => server.closeAllConnections(), graceMs);
  await new Promise((resolve) => server.close(resolve));
  clearInterval(sweep);
  clearTimeout(limit);
};

/**
 * Starts a server on the loopback interface.
 * @param port 0 for any free port
 * @throws {PortError} if the port is in use or not permitted
 */
export const listenOnLoopback = async (
  server: HttpServer,
  port: number,
): Promise<ListeningServer> => {
  const chosen = await listen(server, port);
  return {
    url: `http://${loopback}:${chosen}`,
    port: chosen,
    close: () => closeServer(server),
  };
};

/**
 * Returns a free port. Another program may still take the port before its use.
 * @param wanted 0 for any free port
 * @throws {PortError} if the wanted port is in use or not permitted
 */
export const findFreePort = async (wanted: number): Promise<number> => {
  const server = createServer();
  const port = await listen(server, wanted);
  await new Promise((resolve) => server.close(resolve));
  return port;
};
