/** Measures what the store asks of DynamoDB, by what each answer says that it consumed. */
import { AsyncLocalStorage } from 'node:async_hooks';
import type { ConsumedCapacity, ServiceInputTypes } from '@aws-sdk/client-dynamodb';
import { dynamodb } from '../../shared/storage/dynamodb/dynamodb.ts';

/** What one piece of work cost. */
export interface Measurement<Result = unknown> {
  readonly result: Result;
  /** Every attempt, also those that the client makes by itself. */
  readonly calls: number;
  readonly readUnits: number;
  readonly writeUnits: number;
  /** The longest chain of calls each of which began after the one before had ended. */
  readonly roundTrips: number;
  /** Of the bodies of all requests and answers. */
  readonly bytes: number;
  readonly ms: number;
}

interface Call {
  /** Places in the order of all beginnings and ends; unlike times, no two are equal. */
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

/** As far as it concerns the meter; the SDK's own types know nothing of HTTP here. */
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

/** Runs the work and resolves to what it asked of DynamoDB through the store's client. */
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
