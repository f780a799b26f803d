/** The local run over sockets. The rig can kill its process, and restart it on the same tables. */
import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { rmSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { readStack, type StackModel, startTables } from '@package-registry/local-aws';
import { goWithout } from '../../../infra/local/synthesis.ts';
import { pointStoreAt } from '../../support/engine.ts';
import { makeFastFolder } from '../../support/fast-folder.ts';
import { putFormats } from '../../support/formats.ts';
import type { StackParts } from '../../support/stack-parts.ts';
import type { Send } from './answers.ts';
import { type EngineProxy, startEngineProxy } from './engine-proxy.ts';

/** The settings of the process. */
export interface RegistryOrder {
  readonly assembly: string;
  readonly data: string;
  readonly dynamodbEndpoint: string;
  readonly secretValue: string;
  /** The text that no line of the logs may contain. */
  readonly canary: string;
  /** The number of failed calls of Secrets Manager, per hundred. */
  readonly failedSecrets: number;
  readonly neighbours: Pick<StackParts, 'osvUrl' | 'originUrl'>;
  readonly seed: number;
}

/** The address of the registry, or the error. */
export type RegistryMessage =
  | { readonly url: string; readonly lambda: string }
  | { readonly failure: string }
  | { readonly leak: string };

export interface LocalRun {
  readonly model: StackModel;
  readonly proxy: EngineProxy;
  /** Waits while the registry is dead. Rejects if the registry dies during the request. */
  readonly send: Send;
  /** The address of the registry, until the next kill. */
  address(): Promise<string>;
  /** Log lines that contained the canary. */
  readonly leaks: readonly string[];
  /** Invokes a function without an endpoint, by its name. */
  invoke(name: string, event?: unknown): Promise<unknown>;
  /** Kills the registry without a clean-up, and resolves once the next one answers. */
  kill(): Promise<void>;
  close(): Promise<void>;
}

const program = fileURLToPath(new URL('./registry-process.ts', import.meta.url));

const longestAnswerMs = 30_000;

/** Starts the process; resolves to its address. */
const startProcess = async (
  order: RegistryOrder,
  onLeak: (line: string) => void,
): Promise<{ child: ChildProcess; url: string; lambda: string }> => {
  const child = fork(program, { stdio: ['ignore', 'ignore', 'inherit', 'ipc'] });
  child.send(order);
  const started = new Promise<{ url: string; lambda: string }>((resolve, reject) => {
    child.on('message', (message: RegistryMessage) => {
      if ('leak' in message) onLeak(message.leak);
      else if ('failure' in message) reject(new Error(message.failure));
      else resolve(message);
    });
    child.once('exit', (code) => reject(new Error(`the registry ended with ${code}`)));
  });
  return { child, ...(await started) };
};

const endProcess = async (child: ChildProcess): Promise<void> => {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const exited = once(child, 'exit');
  child.kill('SIGKILL');
  await exited;
};

export const startLocalRun = async (
  given: Omit<RegistryOrder, 'data' | 'dynamodbEndpoint'>,
): Promise<LocalRun> => {
  const model = readStack(given.assembly, { goWithout });
  const engine = await startTables(Object.values(model.tables));
  const proxy = await startEngineProxy(engine.endpoint);
  const data = makeFastFolder('proof-');
  // The checks read the tables without the proxy, by their names in the stack.
  pointStoreAt(engine);
  const settings = Object.values(model.functions).map(({ environment }) => environment);
  Object.assign(process.env, ...settings);
  await putFormats(engine, Object.assign({}, ...settings));
  const leaks: string[] = [];
  const order = { ...given, data, dynamodbEndpoint: proxy.url };
  const begin = () => startProcess(order, (line) => leaks.push(line));
  let running = begin();
  await running;

  return {
    model,
    proxy,
    leaks,
    address: async () => (await running).url,
    send: async ({ method, target, headers, body }) => {
      const { url } = await running;
      const response = await fetch(`${url}${target}`, {
        method,
        headers: { ...(body !== undefined && { 'Content-Type': 'application/json' }), ...headers },
        ...(body !== undefined && {
          body: typeof body === 'string' ? body : Uint8Array.from(body),
        }),
        signal: AbortSignal.timeout(longestAnswerMs),
      });
      return {
        status: response.status,
        headers: Object.fromEntries(response.headers),
        text: await response.text(),
      };
    },
    invoke: async (name, event = {}) => {
      const { lambda } = await running;
      const url = `${lambda}/2015-03-31/functions/${name}/invocations`;
      const answer = await fetch(url, { method: 'POST', body: JSON.stringify(event) });
      return answer.json();
    },
    kill: async () => {
      const { child } = await running;
      running = endProcess(child).then(begin);
      await running;
    },
    close: async () => {
      await endProcess((await running).child);
      await proxy.close();
      await engine.close();
      rmSync(data, { recursive: true, force: true });
    },
  };
};
