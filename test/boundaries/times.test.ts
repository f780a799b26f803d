import { describe, expect, it } from 'vitest';
import { findAllTimes, findTimes } from './find-times.ts';

/** The files that may use the clock of the machine, and why their outcome does not depend on its speed. */
const allowed: Readonly<Record<string, string>> = {
  'local-aws/test/eventually.ts': 'ends only what hangs',
  'local-aws/test/fixture/probe.mjs': 'keeps a function at work for some time, at least',
  'test/support/eventually.ts': 'ends only what hangs',
  'test/support/command-line.ts': 'ends only what hangs',
  'test/support/scripted-server.ts': 'answers later, at least by some time',
  'test/support/osv-server.ts': 'answers later, at least by some time',
  'test/support/faults.ts': 'mixes the order of writes',
  'test/support/conflicts.ts': 'keeps transactions open beside each other',
  'test/support/work.ts': 'compares work with other work of the same machine',
  'test/capacity/bulk-load.ts': 'shows progress',
  'test/capacity/meter.ts': 'measures times for benchmarks',
  'test/cli/without-registry.test.ts': 'compares a command with an empty program',
  'test/contract/token-traffic.test.ts':
    'the promise is about time; a slow machine only asks later',
  'test/use-cases/review/history.ts': 'deadlines end at any moment of a history',
  'test/storage/dynamodb/transact.test.ts': 'asks the simulated clock',
  'test/upgrade/next-format.test.ts': 'clients ask again later, at least by some time',
  'test/boundaries/times.test.ts': 'names what is refused',
};

/** Rigs with a duration that the user chooses. */
const rigs = /^test\/proof\//;

describe('tests', () => {
  it('use the clock of the machine in allowed files only', () => {
    const found = findAllTimes().filter(({ file }) => !(file in allowed) && !rigs.test(file));

    expect(found, 'CONTRIBUTING.md explains how tests wait instead').toEqual([]);
  });

  it('have no unused exception', () => {
    const files = new Set(findAllTimes().map(({ file }) => file));

    expect(Object.keys(allowed).filter((file) => !files.has(file))).toEqual([]);
  });
});

it.each([
  'await new Promise((done) => setTimeout(done, 20));',
  "import { setTimeout as delay } from 'node:timers/promises';",
  'const timer = setInterval(look, 10);',
  'expect(performance.now() - began).toBeLessThan(500);',
  'const before = process.cpuUsage();',
  'await vi.waitFor(check);',
  'await vi.waitUntil(isDone, options);',
  '  await expect.poll(look, { timeout: 20_000 }).toBe(1);',
  "describe('a page', { timeout }, () => {",
  '  }, 60_000);',
])('the check refuses %s', (code) => {
  expect(findTimes('a.test.ts', code)).toHaveLength(1);
});

it.each([
  "import { setImmediate as nextTurn } from 'node:timers/promises';",
  "vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });",
  "checkQuery(route, { timeout: ['10s'] });",
])('the check allows %s', (code) => {
  expect(findTimes('a.test.ts', code)).toEqual([]);
});
