import {
  createServer,
  type IncomingHttpHeaders,
  type IncomingMessage,
  type ServerResponse,
} from 'node:http';
import type { AddressInfo } from 'node:net';
import { type AccessOptions, createOciAccess } from './oci-access.ts';
import {
  answerJson,
  answerPull,
  findTarget,
  type OciAnswer,
  type PullOptions,
  refuse,
} from './oci-answers.ts';
import { type Fault, sendAnswer, sendFault } from './oci-faults.ts';
import { createOciStore, type OciStore } from './oci-store.ts';

export type { Fault };

/** A registry of images on the loopback interface, as the OCI Distribution Specification 1.1 has it. */
export interface OciRegistry extends Omit<OciStore, 'find'> {
  readonly host: string;
  readonly url: string;
  /** Every request so far, with path and query as sent. */
  readonly requests: readonly {
    readonly method: string;
    readonly path: string;
    readonly headers: IncomingHttpHeaders;
  }[];
  /** Has requests to a path answered by a fault from now on; undefined ends it. A text is the path without its query. */
  setFault(path: string | RegExp, fault: Fault | undefined): void;
  close(): Promise<void>;
}

/** Returns the address of a request without percent-encoding; undefined if that is broken. */
const readAddress = (url: string, { url: path = '' }: IncomingMessage) => {
  try {
    const here = new URL(`${url}${path}`);
    return { here, pathname: decodeURIComponent(here.pathname) };
  } catch {
    return undefined;
  }
};

/** Faults by path, and the number of times that each may still occur. */
const createFaults = () => {
  const faults = new Map<string, { path: string | RegExp; fault: Fault; left: number }>();
  const matches = (path: string | RegExp, sent: string): boolean =>
    typeof path === 'string' ? sent.split('?', 1)[0] === path : path.test(sent);
  return {
    set: (path: string | RegExp, fault: Fault | undefined): void => {
      const times = typeof fault === 'object' && 'times' in fault ? fault.times : undefined;
      faults.delete(String(path));
      if (fault) faults.set(String(path), { path, fault, left: times ?? Number.POSITIVE_INFINITY });
    },
    /** Returns the fault of a request, which counts as one occurrence. */
    take: (sent: string): Fault | undefined => {
      const found = [...faults.values()].find(({ path, left }) => left > 0 && matches(path, sent));
      if (found) found.left -= 1;
      return found?.fault;
    },
  };
};

/** Starts a registry of images. */
export const startOciRegistry = async (
  options: Partial<AccessOptions & PullOptions> = {},
): Promise<OciRegistry> => {
  const pull = {
    hasReferrersApi: true,
    pageSize: 100,
    redirectBlobsTo: () => undefined,
    ...options,
  };
  const { find, ...pushes } = createOciStore(!pull.hasReferrersApi);
  const store = { find, ...pushes };
  const faults = createFaults();
  const requests: { method: string; path: string; headers: IncomingHttpHeaders }[] = [];

  const server = createServer();
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const host = `127.0.0.1:${(server.address() as AddressInfo).port}`;
  const url = `http://${host}`;
  const access = createOciAccess(url, {
    ...{ auth: 'none', users: {}, private: [], tokenLifetimeSeconds: 300 },
    ...options,
  });

  const answer = (request: IncomingMessage): OciAnswer => {
    if (!['GET', 'HEAD'].includes(request.method ?? '')) {
      return refuse(405, 'UNSUPPORTED', { Allow: 'GET, HEAD' });
    }
    const address = readAddress(url, request);
    if (!address) return refuse(400, 'NAME_INVALID');
    const { here, pathname } = address;
    if (pathname === '/token') return access.giveToken(request, here);
    if (pathname === '/v2/') return access.findRefusal(request) ?? answerJson(200, {});
    const target = findTarget(pathname);
    if (!target) return refuse(404, 'UNSUPPORTED');
    const refusal = access.findRefusal(request, target.repository);
    return refusal ?? answerPull(request, here, target, store, pull);
  };

  server.on('request', (request: IncomingMessage, response: ServerResponse) => {
    const { method = '', url: path = '', headers } = request;
    requests.push({ method, path, headers });
    const fault = faults.take(path);
    if (fault) sendFault(fault, request, response, answer(request));
    else sendAnswer(response, answer(request), request);
  });

  return {
    ...{ ...pushes, host, url, requests },
    setFault: faults.set,
    close: async () => {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
};
