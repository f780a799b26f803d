/** Measures the store's use of DynamoDB by the consumed capacity in each response. */
import { AsyncLocalStorage } from 'node:async_hooks';
import type { ConsumedCapacity, ServiceInputTypes } from '@aws-sdk/client-dynamodb';
import { dynamodb } from '../../shared/storage/dynamodb/dynamodb.ts';

/** The cost of an operation. */
export interface Measurement<Result = unknown> {
  readonly result: Result;
  /** All attempts, including the client's retries. */
  readonly calls: number;
  readonly readUnits: number;
  readonly writeUnits: number;
  /** The longest chain of sequential calls. */
  readonly roundTrips: number;
  /** Bytes of the bodies of all requests and responses. */
  readonly bytes: number;
  readonly ms: number;
}

interface Call {
  /** Positions in the order of all starts and ends; unlike times, they are unique. */
  readonly began: number;
  ended: number;
  readonly isWrite: boolean;
  units: number;
  bytes: number;
}

interface Recording {
  readonly calls: Call[];
  moments: number;
}

const recordings = new AsyncLocalStorage<Recording>();

/** The fields that the meter uses; the SDK's types omit HTTP here. */
interface HttpMessage {
  readonly body?: unknown;
  readonly headers?: Readonly<Record<string, string>>;
}

const bodyBytes = (request: unknown, response: unknown): number => {
  const { body } = request as HttpMessage;
  const sent = typeof body === 'string' || body instanceof Uint8Array ? Buffer.byteLength(body) : 0;
  return sent + Number((response as HttpMessage).headers?.['content-length'] ?? 0);
};

const unitsOf = (output: object = {}): number => {
  const { ConsumedCapacity: consumed = [] } = output as {
    ConsumedCapacity?: ConsumedCapacity | ConsumedCapacity[];
  };
  return [consumed].flat().reduce((sum, { CapacityUnits = 0 }) => sum + CapacityUnits, 0);
};

dynamodb.middlewareStack.add(
  (next) => (args) => {
    if (!recordings.getStore()) return next(args);
    const input = { ...args.input, ReturnConsumedCapacity: 'TOTAL' } as ServiceInputTypes;
    return next({ ...args, input });
  },
  { step: 'initialize', name: 'askForCapacity' },
);

dynamodb.middlewareStack.add(
  (next, { commandName = '' }) =>
    async (args) => {
      const recording = recordings.getStore();
      if (!recording) return next(args);
      const isWrite = /Write|Put|Update|Delete/.test(String(commandName));
      const call: Call = { began: recording.moments++, ended: 0, isWrite, units: 0, bytes: 0 };
      recording.calls.push(call);
      try {
        const answer = await next(args);
        call.units = unitsOf(answer.output);
        call.bytes = bodyBytes(args.request, answer.response);
        return answer;
      } finally {
        call.ended = recording.moments++;
      }
    },
  { step: 'deserialize', priority: 'high', name: 'meterCapacity' },
);

const longestChain = (calls: readonly Call[]): number => {
  let length = 0;
  let end = -1;
  for (const { began, ended } of calls.toSorted((a, b) => a.ended - b.ended)) {
    if (began < end) continue;
    length += 1;
    end = ended;
  }
  return length;
};

const sum = (calls: readonly Call[], of: (call: Call) => number): number =>
  calls.reduce((total, call) => total + of(call), 0);

/** Runs the work and resolves to its use of DynamoDB through the store's client. */
export const measure = async <Result>(
  work: () => Promise<Result>,
): Promise<Measurement<Result>> => {
  const recording: Recording = { calls: [], moments: 0 };
  const began = performance.now();
  const result = await recordings.run(recording, work);
  const { calls } = recording;
  return {
    result,
    calls: calls.length,
    readUnits: sum(calls, ({ isWrite, units }) => (isWrite ? 0 : units)),
    writeUnits: sum(calls, ({ isWrite, units }) => (isWrite ? units : 0)),
    roundTrips: longestChain(calls),
    bytes: sum(calls, ({ bytes }) => bytes),
    ms: performance.now() - began,
  };
};
