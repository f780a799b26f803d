/** Starts the registry in a process of its own, so that the benchmark does not slow it down. */
import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import type { Addresses } from './addresses.ts';

export interface Usage {
  /** Requests to the API. */
  readonly requests: number;
  /** Read units of the gate's functions. */
  readonly readUnits: number;
  /** DynamoDB calls of all functions. */
  readonly calls: number;
}

/** Messages of the registry's process: its address once, and its usage after each question. */
export type FromRegistry = { readonly url: string } | Usage;

export interface Registry {
  readonly url: string;
  readonly addresses: Addresses;
  /** Returns the usage since the last call. */
  takeUsage(): Promise<Usage>;
  /** Waits until the workers have nothing to do. */
  settle(): Promise<void>;
  close(): Promise<void>;
}

const program = join(import.meta.dirname, 'registry-process.ts');

/** Settings without requests to other services than the origin, and with approvals by hand. */
const quiet = {
  osvScanning: 'false',
  recall: 'none',
  trustedRootUrl: 'none',
  blockingIssues: 'none',
  requestSurge: '1000000',
};

const receive = async (child: ChildProcess): Promise<FromRegistry> => {
  const ended = new AbortController();
  const { signal } = ended;
  const end = once(child, 'exit', { signal }).then((): never => {
    throw new Error('The registry has ended');
  });
  try {
    const [message] = await Promise.race([once(child, 'message', { signal }), end]);
    return message;
  } finally {
    end.catch(() => undefined);
    ended.abort();
  }
};

const quietMs = 5000;
const mostWaits = 24;

/** Starts a registry without data, whose upstream registries are the origin. */
export const startRegistry = async (origin: Addresses): Promise<Registry> => {
  const settings = {
    ...quiet,
    npmUrl: origin.npm,
    pypiUrl: origin.pypi,
    mavenUrl: origin.maven,
  };
  const child = fork(program, [JSON.stringify(settings)], {
    execArgv: [],
    stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
  });
  const started = await receive(child);
  if (!('url' in started)) throw new Error('The registry has sent no address');
  const { url } = started;
  const takeUsage = async (): Promise<Usage> => {
    child.send('usage');
    const usage = await receive(child);
    if ('url' in usage) throw new Error('The registry has started twice');
    return usage;
  };
  return {
    url,
    addresses: {
      npm: `${url}/npm/`,
      pypi: `${url}/pypi/`,
      maven: `${url}/maven/`,
    },
    takeUsage,
    settle: async () => {
      for (let waits = 0; waits < mostWaits; waits += 1) {
        await takeUsage();
        await delay(quietMs);
        if ((await takeUsage()).calls === 0) return;
      }
    },
    close: async () => {
      if (child.exitCode !== null) return;
      const exited = once(child, 'exit');
      child.disconnect();
      await exited;
    },
  };
};
