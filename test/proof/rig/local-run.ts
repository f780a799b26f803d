/** The local run over sockets: its process can be killed, and started again on the same tables. */
import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { rmSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { readStack, type StackModel, startTables } from 'local-aws';
import { goWithout } from '../../../infra/local/synthesis.ts';
import { pointStoreAt } from '../../support/engine.ts';
import { makeFastFolder } from '../../support/fast-folder.ts';
import type { StackParts } from '../../support/stack-parts.ts';
import type { Send } from './answers.ts';
import { type EngineProxy, startEngineProxy } from './engine-proxy.ts';

/** What the process is to run. */
export interface RegistryOrder {
  readonly assembly: string;
  readonly data: string;
  readonly dynamodbEndpoint: string;
  readonly secretValue: string;
  /** What no line of the logs may hold. */
  readonly canary: string;
  /** Of a hundred calls of Secrets Manager, how many fail. */
  readonly failedSecrets: number;
  readonly neighbours: Pick<StackParts, 'osvUrl' | 'originUrl'>;
  readonly seed: number;
}

/** Where it answers; or what went wrong. */
export type RegistryMessage =
  | { readonly url: string; readonly lambda: string }
  | { readonly failure: string }
  | { readonly leak: string };

export interface LocalRun {
  readonly model: StackModel;
  readonly proxy: EngineProxy;
  /** Waits while the registry is dead; rejects where it dies meanwhile. */
  readonly send: Send;
  /** Where it answers, until it is killed. */
  address(): Promise<string>;
  /** Lines of logs that held the canary. */
  readonly leaks: readonly string[];
  /** Invokes a function that no request reaches, by its name. */
  invoke(name: string, event?: unknown): Promise<unknown>;
  /** Kills the registry with no chance to clean up, and resolves once another one answers. */
  kill(): Promise<void>;
  close(): Promise<void>;
}

const program = fileURLToPath(new URL('./registry-process.ts', import.meta.url));

const longestAnswerMs = 30_000;

/** Starts the process; resolves to where it answers. */
const startProcess = async (
  order: RegistryOrder,
  onLeak: (line: string) => void,
): Promise<{ child: ChildProcess; url: string; lambda: string }> => {
  const child = fork(program, { stdio: ['ignore', 'ignore', 'inherit', 'ipc'] });
  child.send(order);
  const told = new Promise<{ url: string; lambda: string }>((resolve, reject) => {
    child.on('message', (message: RegistryMessage) => {
      if ('leak' in message) onLeak(message.leak);
      else if ('failure' in message) reject(new Error(message.failure));
      else resolve(message);
    });
    child.once('exit', (code) => reject(new Error(`the registry ended with ${code}`)));
  });
  return { child, ...(await told) };
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
  // The truth is read past the proxy, by the names that the stack gives its tables.
  pointStoreAt(engine);
  for (const { environment } of Object.values(model.functions)) {
    Object.assign(process.env, environment);
  }
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
