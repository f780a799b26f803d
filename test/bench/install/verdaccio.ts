/** Verdaccio, the peer of the registry for npm clients. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, writeFileSync } from 'node:fs';
import { type AddressInfo, createServer } from 'node:net';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';

const program = join(import.meta.dirname, 'peers/node_modules/.bin/verdaccio');

export interface Verdaccio {
  /** With a trailing slash. */
  readonly address: string;
  close(): Promise<void>;
}

const findPort = async (): Promise<number> => {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  server.close();
  await once(server, 'close');
  return port;
};

/** Everybody may read each package, and Verdaccio fetches and keeps what it does not have. All else is its default. */
const makeConfiguration = (folder: string, origin: string): object => ({
  storage: join(folder, 'storage'),
  auth: { htpasswd: { file: join(folder, 'htpasswd') } },
  uplinks: { origin: { url: origin } },
  packages: { '**': { access: '$all', proxy: 'origin' } },
  log: { type: 'stdout', format: 'pretty', level: 'error' },
});

const startMs = 60_000;
const pauseMs = 200;

const answers = async (address: string): Promise<boolean> => {
  try {
    return (await fetch(`${address}-/ping`)).ok;
  } catch {
    return false;
  }
};

/** Starts Verdaccio with an empty storage in the folder. */
export const startVerdaccio = async (folder: string, origin: string): Promise<Verdaccio> => {
  mkdirSync(folder, { recursive: true });
  const file = join(folder, 'config.yaml');
  // JSON is YAML.
  writeFileSync(file, JSON.stringify(makeConfiguration(folder, origin)));
  const listen = `127.0.0.1:${await findPort()}`;
  const child = spawn(process.execPath, [program, '--config', file, '--listen', listen], {
    cwd: folder,
    env: { PATH: process.env['PATH'] ?? '', HOME: folder, NODE_ENV: 'production' },
    stdio: ['ignore', 'ignore', 'inherit'],
  });
  const kill = (): void => {
    child.kill();
  };
  process.once('exit', kill);
  const address = `http://${listen}/`;
  const close = async (): Promise<void> => {
    process.off('exit', kill);
    if (child.exitCode !== null || child.signalCode !== null) return;
    const exited = once(child, 'exit');
    kill();
    await exited;
  };
  const end = performance.now() + startMs;
  while (!(await answers(address))) {
    if (child.exitCode !== null || performance.now() > end) {
      await close();
      throw new Error('Verdaccio does not start');
    }
    await delay(pauseMs);
  }
  return { address, close };
};
