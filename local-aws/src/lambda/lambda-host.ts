/** Runs the stack's functions from their real bundles. Each function has its own processes and environment. */
import type { Principals } from '../iam/principals.ts';
import type { StackModel } from '../template/model.ts';
import { makeEnvironment } from './environment.ts';
import { createFunctionPool, type FunctionPool } from './function-pool.ts';
import type { Output } from './instance.ts';
import { maxPayloadBytes, RequestTooLargeError } from './messages.ts';

export interface LambdaHost {
  /**
   * Invokes a function by its logical id. Resolves to its result.
   * Rejects with an InvocationError if the function fails, and with a RequestTooLargeError above Lambda's 6 MB.
   */
  invoke(functionId: string, event: unknown): Promise<unknown>;
  close(): Promise<void>;
}

export interface LambdaHostOptions {
  readonly model: StackModel;
  readonly principals: Principals;
  /** Endpoint of DynamoDB, Secrets Manager and SQS for the functions. */
  readonly awsEndpoint: string;
  readonly maxInstances: number;
  /** Milliseconds after which a process without an event ends. */
  readonly idleMs: number;
  /** Called with each line that a function writes. */
  readonly onLog: (functionId: string, line: string, output: Output) => void;
}

export const createLambdaHost = (options: LambdaHostOptions): LambdaHost => {
  const { model, principals, awsEndpoint, maxInstances, idleMs, onLog } = options;
  const pools = new Map<string, FunctionPool>(
    Object.values(model.functions).map((target) => [
      target.id,
      createFunctionPool(target, {
        environment: makeEnvironment(target, principals.getCredentials(target.id), awsEndpoint),
        maxInstances,
        idleMs,
        onLine: (line, output) => onLog(target.id, line, output),
      }),
    ]),
  );

  return {
    invoke: async (functionId, event) => {
      const pool = pools.get(functionId);
      if (pool === undefined) throw new Error(`no function ${functionId} in the stack`);
      const payload = JSON.stringify(event) ?? 'null';
      if (Buffer.byteLength(payload) > maxPayloadBytes) throw new RequestTooLargeError(functionId);
      return JSON.parse(await pool.invoke(payload));
    },
    close: async () => {
      await Promise.all([...pools.values()].map((pool) => pool.close()));
    },
  };
};
