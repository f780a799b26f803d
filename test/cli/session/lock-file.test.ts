import { spawnSync } from 'node:child_process';
import { existsSync, mkdtempSync, rmSync, utimesSync, writeFileSync } from 'node:fs';
import { hostname, tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { acquireLock } from '../../../cli/session/lock-file.ts';
import { useSimulatedClock } from '../../support/simulated-clock.ts';

const clock = useSimulatedClock();

let folder: string;
let lock: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'registry-lock-'));
  lock = join(folder, 'config.json.lock');
});
afterEach(() => rmSync(folder, { recursive: true }));

const write = (owner: object): void => writeFileSync(lock, JSON.stringify(owner));

it('belongs to one owner at a time', async () => {
  const order: string[] = [];
  const work = async (name: string): Promise<void> => {
    const release = await acquireLock(lock);
    order.push(`${name} begins`);
    await new Promise((resolve) => setImmediate(resolve));
    order.push(`${name} ends`);
    release();
  };

  await Promise.all(['a', 'b', 'c'].map(work));

  for (let at = 0; at < order.length; at += 2) {
    expect(order[at + 1]).toBe(order[at]?.replace('begins', 'ends'));
  }
  expect(existsSync(lock)).toBe(false);
});

it('is taken from a process that has ended', async () => {
  const { pid } = spawnSync(process.execPath, ['-e', '']);
  write({ pid, host: hostname() });

  (await acquireLock(lock))();

  expect(clock.pauses).toHaveLength(1);
});

it('is taken from an owner on another machine after a minute', async () => {
  write({ pid: 1, host: 'elsewhere' });
  const before = new Date(Date.now() - 61_000);
  utimesSync(lock, before, before);

  (await acquireLock(lock))();

  expect(clock.pauses).toHaveLength(1);
});

it('is not taken from a running owner', async () => {
  write({ pid: process.pid, host: hostname() });

  await expect(acquireLock(lock)).rejects.toThrow(`another command has the lock ${lock}`);

  expect(existsSync(lock)).toBe(true);
});

it('needs a folder', async () => {
  await expect(acquireLock(join(folder, 'missing', 'lock'))).rejects.toThrow('ENOENT');
});
