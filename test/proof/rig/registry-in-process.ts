/** The registry in this process: the real functions behind the gateway, and the real engine behind the fault proxy. */
import { randomUUID } from 'node:crypto';
import {
  createGateway,
  readStack,
  type StackModel,
  startSecret,
  startSigningKeys,
} from '@package-registry/local-aws';
import { goWithout } from '../../../infra/local/synthesis.ts';
import { allRoutes } from '../../../shared/api/all-routes.ts';
import { settingVariables, tokensEnv } from '../../../shared/api/resources.ts';
import * as routes from '../../../shared/api/routes.ts';
import { pointStoreAt, startEngine, type TestEngine } from '../../support/engine.ts';
import { functionOf } from '../../support/functions.ts';
import { pointKeysAt, pointSecretsAt } from '../../support/secrets.ts';
import { listRawHeaders, type Send } from './answers.ts';
import { type EngineProxy, startEngineProxy } from './engine-proxy.ts';
import { tokenList } from './tokens.ts';

export interface OwnRegistry {
  readonly send: Send;
  /** Sends a request in the form of the gateway. */
  readonly answer: ReturnType<typeof createGateway>;
  readonly engine: TestEngine;
  readonly proxy: EngineProxy;
  close(): Promise<void>;
}

export interface OwnRegistryOptions {
  /** The cloud assembly of the stack. */
  readonly assembly: string;
  /** The timeout of a function. */
  readonly functionMs?: number;
}

type Handler = (event: unknown, context: object) => Promise<unknown>;

const isHandler = (value: unknown): value is Handler => typeof value === 'function';

const loadHandler = async (id: string): Promise<Handler> => {
  const { handler } = await import(`../../../functions/${id}.ts`);
  if (isHandler(handler)) return handler;
  throw new Error(`functions/${id}.ts has no handler`);
};

/** The handlers of all endpoints, by the logical ids of their functions. */
const loadHandlers = async (model: StackModel): Promise<ReadonlyMap<string, Handler>> =>
  new Map(
    await Promise.all(
      allRoutes.map(async ({ id }) => [functionOf(model, id).id, await loadHandler(id)] as const),
    ),
  );

/** The longest request in Lambda. */
const defaultFunctionMs = 20_000;

const makeContext = (functionMs: number) => {
  const end = performance.now() + functionMs;
  return {
    awsRequestId: randomUUID(),
    functionName: 'proof',
    getRemainingTimeInMillis: () => end - performance.now(),
  };
};

/** The environment variables of all functions together. */
const setEnvironment = (model: StackModel): void => {
  for (const { environment } of Object.values(model.functions)) {
    Object.assign(process.env, environment);
  }
  // This function has all files that functions read.
  process.env['LAMBDA_TASK_ROOT'] = functionOf(model, routes.runPolicy.id).codeDirectory;
};

export const startOwnRegistry = async ({
  assembly,
  functionMs = defaultFunctionMs,
}: OwnRegistryOptions): Promise<OwnRegistry> => {
  const model = readStack(assembly, { goWithout });
  const secret = await startSecret(tokenList);
  setEnvironment(model);
  process.env[tokensEnv] = secret.arn;
  const counterShards = process.env[settingVariables.counterShards];
  const engine = await startEngine();
  const proxy = await startEngineProxy(engine.endpoint);
  pointStoreAt({ ...engine, endpoint: proxy.url });
  pointSecretsAt(secret.endpoint);
  const keys = await startSigningKeys(model);
  pointKeysAt(keys.endpoint);
  process.env[settingVariables.counterShards] = counterShards;
  const handlers = await loadHandlers(model);
  const answer = createGateway({
    api: model.api,
    invoke: async (functionId, event) => handlers.get(functionId)?.(event, makeContext(functionMs)),
    integrationTimeoutMs: functionMs,
    onAccessLog: () => undefined,
  });
  return {
    engine,
    proxy,
    answer,
    send: async (ask) => {
      const { status, headers, body } = await answer({
        method: ask.method,
        target: ask.target,
        rawHeaders: listRawHeaders(ask),
        body: Buffer.from(ask.body ?? ''),
      });
      return { status, headers, text: body.toString() };
    },
    close: async () => {
      await proxy.close();
      await engine.close();
      await secret.close();
      await keys.close();
    },
  };
};
