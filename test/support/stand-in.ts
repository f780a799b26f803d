import { createServer, type RequestListener } from 'node:http';
import type { AddressInfo } from 'node:net';

/** A server on loopback that stands in for a service. */
export interface StandIn {
  /** The URL of the server, such as `http://127.0.0.1:8000`. */
  readonly url: string;
  /** Also aborts responses in progress. */
  close(): Promise<void>;
}

export const serveStandIn = async (answer: RequestListener): Promise<StandIn> => {
  const server = createServer(answer);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    close: async () => {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
};
