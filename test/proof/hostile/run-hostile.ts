/** Sends hostile requests and checks each response; shrinks a request with a wrong response. */
import { request as sendRequest } from 'node:http';
import { buffer } from 'node:stream/consumers';
import type { Exchange, OwnRequest } from '@package-registry/local-aws';
import fc from 'fast-check';
import { captureLog } from '../rig/captured-log.ts';
import { startLocalRun } from '../rig/local-run.ts';
import { startOwnRegistry } from '../rig/registry-in-process.ts';
import { canary, tokenList } from '../rig/tokens.ts';
import { judgeAnswer } from './judge-answer.ts';
import { hostileRequest } from './requests.ts';

export interface HostileRun {
  readonly seed: number;
  readonly requests: number;
}

const describeRequest = ({ method, target, rawHeaders, body }: OwnRequest): string =>
  `${method} ${target}\n    ${JSON.stringify(rawHeaders)}\n    ${JSON.stringify(body.toString()).slice(0, 2000)}`;

/** Resolves to the violations as text; empty: none. */
const checkRequests = async (
  { seed, requests }: HostileRun,
  ask: (request: OwnRequest) => Promise<Exchange['answer']>,
): Promise<string[]> => {
  const property = fc.asyncProperty(hostileRequest, async (request) =>
    judgeAnswer(request, await ask(request)),
  );
  const { failed, counterexample, errorInstance } = await fc.check(property, {
    seed,
    numRuns: requests,
  });
  if (!failed) return [];
  const message = errorInstance instanceof Error ? errorInstance.message : String(errorInstance);
  return [`${message}\n    ${counterexample ? describeRequest(counterexample[0]) : ''}`];
};

/** Runs in this process, with its own registry. */
export const runHostile = async ({
  assembly,
  ...run
}: HostileRun & { readonly assembly: string }): Promise<string[]> => {
  const log = captureLog(canary);
  const registry = await startOwnRegistry({ assembly });
  try {
    const wrong = await checkRequests(run, registry.answer);
    return [...wrong, ...log.leaks.map((line) => `the canary is in the log: ${line}`)];
  } finally {
    await registry.close();
    log.end();
  }
};

/** Sends the request unchanged, without normalization by a client. */
const askOverSockets = (
  address: string,
  { method, target, rawHeaders, body }: OwnRequest,
): Promise<Exchange['answer']> =>
  new Promise((resolve, reject) => {
    const headers = [...rawHeaders, 'Content-Length', String(body.length)];
    const { hostname, port } = new URL(address);
    sendRequest({ hostname, port, method, path: target, headers }, (response) => {
      buffer(response).then(
        (bytes) =>
          resolve({
            status: response.statusCode ?? 0,
            headers: Object.fromEntries(
              Object.entries(response.headers).map(([name, value]) => [name, value ?? '']),
            ),
            body: bytes,
          }),
        reject,
      );
    })
      .on('error', reject)
      .end(body);
  });

/** Runs with its own local run, whose functions are the real bundles. */
export const startHostileSockets = async (assembly: string, seed: number) => {
  const run = await startLocalRun({
    ...{ assembly, secretValue: tokenList, canary, failedSecrets: 0, neighbours: {}, seed },
  });
  const address = await run.address();
  return {
    check: async (order: HostileRun): Promise<string[]> => {
      const wrong = await checkRequests(order, (request) => askOverSockets(address, request));
      return [...wrong, ...run.leaks.map((line) => `the canary is in the log: ${line}`)];
    },
    close: run.close,
  };
};
