/** HTTP servers that only this machine can reach. */
import { once } from 'node:events';
import type { Server as HttpServer } from 'node:http';
import { createServer, type Server } from 'node:net';
import { StartError } from './start-error.ts';

export interface ListeningServer {
  /** `http://127.0.0.1:<port>`, without a slash at its end. */
  readonly url: string;
  readonly port: number;
  /** Stops to listen, lets requests in progress end for a moment, and closes every connection. */
  close(): Promise<void>;
}

/** The port is taken by another program, or may not be used. */
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

/** How long requests in progress may take to end when a server closes, and how often it looks, in milliseconds. */
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
 * Starts to listen.
 * @param port 0 for any free one
 * @throws {PortError}
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
 * A port that was free a moment ago.
 * @param wanted 0 for any
 * @throws {PortError} when the wanted one is not free
 */
export const findFreePort = async (wanted: number): Promise<number> => {
  const server = createServer();
  const port = await listen(server, wanted);
  await new Promise((resolve) => server.close(resolve));
  return port;
};
