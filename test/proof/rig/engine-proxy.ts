/** A proxy between the SDK and the engine, over sockets, that injects faults. */
import { Agent, request as askEngine, type IncomingMessage, type ServerResponse } from 'node:http';
import { buffer } from 'node:stream/consumers';
import { setTimeout as delay } from 'node:timers/promises';
import { type StandIn, serveStandIn } from '../../support/stand-in.ts';
import type { Fault } from './faults.ts';

/** A call as the SDK sends it. */
export interface EngineCall {
  /** Such as `TransactWriteItems`. */
  readonly operation: string;
  /** The step of the run that made the call, if known. */
  readonly step: string | undefined;
  readonly body: Buffer;
}

export interface EngineAnswer {
  readonly status: number;
  readonly body: Buffer;
}

/** Passes a call on to the engine, as it is or with another body. */
export type Forward = (body?: Buffer) => Promise<EngineAnswer>;

/** The hooks of a proxy. A test may replace each of them at any time. */
export interface Disturbances {
  /** Chooses the fault of a call; undefined: none. */
  readonly choose?: (call: EngineCall) => Fault | undefined;
  /** A planted bug: answers in place of the engine, or changes the request. */
  readonly tamper?: (call: EngineCall, forward: Forward) => Promise<EngineAnswer>;
}

export interface EngineProxy extends StandIn {
  disturb(disturbances: Disturbances): void;
  /** The number of calls with each fault. */
  readonly befallen: ReadonlyMap<Fault, number>;
}

const namespace = 'com.amazonaws.dynamodb.v20120810#';

const makeError = (name: string, status = 400, more: object = {}): EngineAnswer => ({
  status,
  body: Buffer.from(
    JSON.stringify({ __type: `${namespace}${name}`, message: 'injected by the proof', ...more }),
  ),
});

const makeConflict = (): EngineAnswer =>
  makeError('TransactionCanceledException', 400, {
    CancellationReasons: [{ Code: 'TransactionConflict', Message: 'injected' }],
  });

/** Longer than the registry waits for one call. */
const tooLongMs = 3300;

const send = (response: ServerResponse, { status, body }: EngineAnswer): void => {
  if (response.destroyed) return;
  response.writeHead(status, {
    'Content-Type': 'application/x-amz-json-1.0',
    'Content-Length': body.length,
  });
  response.end(body);
};

/** Sends half of a response, and then nothing. */
const stall = (response: ServerResponse, { status, body }: EngineAnswer): void => {
  response.writeHead(status, { 'Content-Length': body.length + 1 });
  response.write(body.subarray(0, body.length / 2));
};

/** A call and its response. */
interface Exchange {
  readonly response: ServerResponse;
  readonly ask: () => Promise<EngineAnswer>;
}

const cut = (response: ServerResponse): void => void response.socket?.destroy();

const suffer: Readonly<Record<Fault, (exchange: Exchange) => Promise<void> | void>> = {
  throttled: ({ response }) => send(response, makeError('ThrottlingException')),
  failed: ({ response }) => send(response, makeError('InternalServerError', 500)),
  conflict: ({ response }) => send(response, makeConflict()),
  'cut before': ({ response }) => cut(response),
  'cut after': async ({ response, ask }) => {
    await ask();
    cut(response);
  },
  late: async ({ response, ask }) => {
    await delay(tooLongMs);
    send(response, await ask());
  },
  slow: async ({ response, ask }) => {
    const answer = await ask();
    await delay(tooLongMs);
    send(response, answer);
  },
  stalled: async ({ response, ask }) => stall(response, await ask()),
};

/** The header with the step that makes a call. */
export const stepHeader = 'x-proof-step';

const readCall = async (request: IncomingMessage): Promise<EngineCall> => {
  const { 'x-amz-target': target, [stepHeader]: step } = request.headers;
  const [, operation = ''] = String(target ?? '').split('.');
  return {
    operation,
    step: step === undefined ? undefined : String(step),
    body: await buffer(request),
  };
};

const dropped = new Set(['connection', 'content-length', 'host', 'transfer-encoding', stepHeader]);

const keepHeaders = ({ headers }: IncomingMessage) =>
  Object.fromEntries(Object.entries(headers).filter(([name]) => !dropped.has(name)));

const isPossible = (fault: Fault, { operation }: EngineCall): boolean =>
  fault !== 'conflict' || operation === 'TransactWriteItems';

/** Starts a proxy for the engine at this address. */
export const startEngineProxy = async (engine: string): Promise<EngineProxy> => {
  const agent = new Agent({ keepAlive: true });
  const befallen = new Map<Fault, number>();
  let disturbances: Disturbances = {};

  const forward = (request: IncomingMessage, body: Buffer): Promise<EngineAnswer> =>
    new Promise((resolve, reject) => {
      const headers = { ...keepHeaders(request), 'content-length': body.length };
      askEngine(engine, { agent, method: 'POST', headers }, (answer) => {
        buffer(answer).then(
          (bytes) => resolve({ status: answer.statusCode ?? 500, body: bytes }),
          reject,
        );
      })
        .on('error', reject)
        .end(body);
    });

  const answer = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const call = await readCall(request);
    const { choose, tamper } = disturbances;
    const pass: Forward = (body = call.body) => forward(request, body);
    const ask = () => (tamper ? tamper(call, pass) : pass());
    const fault = choose?.(call);
    if (!fault || !isPossible(fault, call)) return send(response, await ask());
    befallen.set(fault, (befallen.get(fault) ?? 0) + 1);
    await suffer[fault]({ response, ask });
  };

  const server = await serveStandIn((request, response) => {
    // The client may be dead, and the engine too.
    answer(request, response).catch(() => cut(response));
  });
  return {
    url: server.url,
    close: async () => {
      await server.close();
      agent.destroy();
    },
    disturb: (next) => {
      disturbances = next;
    },
    befallen,
  };
};
