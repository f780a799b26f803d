import { afterEach, beforeEach, expect, it, type MockInstance, vi } from 'vitest';
import { IntegrityReport } from '../../../shared/api/schemas/integrity.ts';
import { defaultLayout } from '../../../shared/storage/catalogue/layout.ts';
import { checkIntegrity } from '../../../shared/storage/integrity/check-integrity.ts';
import { runScheduledCheck } from '../../../shared/storage/integrity/run-scheduled-check.ts';
import { saveScheduledState } from '../../../shared/storage/integrity/scheduled-state.ts';
import { dayMs, minuteMs } from '../../../shared/util/duration.ts';
import { startEngine, type TestEngine } from '../../support/engine.ts';
import { fillRegistry, readAll, remove } from './reviewed-registry.ts';

let engine: TestEngine;
let output: MockInstance;
beforeEach(async () => {
  engine = await startEngine();
  output = vi.spyOn(process.stdout, 'write').mockReturnValue(true);
});
afterEach(async () => {
  vi.restoreAllMocks();
  await engine.close();
});

type Check = Parameters<typeof runScheduledCheck>[0]['check'];

const start = Date.UTC(2026, 0, 1);
const lambdaMs = 15 * minuteMs;
/** Time for 20 pages. */
const shortTime = () => {
  let pages = 20;
  return {
    remainingMs: () => {
      pages -= 1;
      return pages > 0 ? minuteMs : 0;
    },
  };
};

const somePages: Check = (request) =>
  checkIntegrity(request, defaultLayout, shortTime(), { settleMs: 0 });

/** Runs the worker at a time in minutes after the start. */
const runAt = (minutes: number, check: Check = somePages) =>
  runScheduledCheck({
    everyDays: 7,
    now: new Date(start + minutes * minuteMs),
    deadline: { remainingMs: () => lambdaMs },
    check,
  });

/** Runs the worker every 15 minutes until a check is complete. Returns the number of runs. */
const runToEnd = async (from = 0): Promise<number> => {
  for (let runs = 1; ; runs += 1) {
    if ((await runAt(from + 15 * (runs - 1))) === 'complete') return runs;
  }
};

const weekMinutes = (7 * dayMs) / minuteMs;

const logged = (event: string) =>
  output.mock.calls
    .map(([line]) => JSON.parse(String(line)))
    .filter((line: { event?: string }) => line.event === event);

const never: Check = () => Promise.reject(new Error('must not run'));

it('continues from run to run, logs one result with examples, and repairs nothing', async () => {
  await fillRegistry();
  const runs = await runToEnd();
  const [row] = (await readAll('catalogue')).filter(({ c, p }) => c && !String(p).startsWith('*'));
  await remove('catalogue', { p: String(row?.['p']), o: String(row?.['o']) });
  const damaged = await readAll('catalogue');

  await runToEnd(weekMinutes);

  expect(runs).toBeGreaterThan(2);
  expect(logged('integrity_checked')).toEqual([
    expect.objectContaining({ level: 'info', problems: 0, unjudged: 0, found: {}, runs }),
    expect.objectContaining({
      level: 'error',
      problems: 1,
      found: { missing_row: 1 },
      examples: [expect.stringContaining('missing_row: ')],
    }),
  ]);
  expect(await readAll('catalogue')).toEqual(damaged);
});

it('begins again after its interval only', async () => {
  await runToEnd();

  expect(await runAt(weekMinutes - 15, never)).toBe('not_due');
  expect(await runAt(weekMinutes)).toBe('continued');
});

it('leaves a check to the run that continues it', async () => {
  let other: string | undefined;
  const slow: Check = async (request) => {
    other = await runAt(10, never);
    return request;
  };

  expect(await runAt(0, slow)).toBe('continued');
  expect(other).toBe('running');
});

it('takes over from a run that was cut short, and drops the result of that run', async () => {
  const late: Check = async (request) => {
    expect(await runAt(15)).toBe('continued');
    return request;
  };

  expect(await runAt(0, late)).toBe('running');
  expect(await runAt(30)).toBe('continued');
});

it('gives up after five runs in sequence that fail, and begins again on schedule', async () => {
  const failing = () => runAt(15 * fails, () => Promise.reject(new Error('Unreadable')));
  let fails = 0;
  for (; fails < 5; fails += 1) await expect(failing()).rejects.toThrow('Unreadable');

  await expect(runAt(75, never)).rejects.toThrow('stopped in its phase sums after 5 runs');
  expect(await runAt(90, never)).toBe('not_due');
  expect(await runAt(weekMinutes)).toBe('continued');
});

it('ends a check that takes more than a thousand runs', async () => {
  const began_at = new Date(start).toISOString();
  const report = IntegrityReport.parse({});
  const state = { began_at, runs: 999, stuck: 0, leased_until: null, report };
  await saveScheduledState(state, undefined);

  expect(await runAt(15_000, async (request) => request)).toBe('continued');
  await expect(runAt(15_015, never)).rejects.toThrow('after 1000 runs');
  expect(await runAt(15_030)).toBe('continued');
});

it('begins a check anew whose stored report has the form of another release', async () => {
  await runAt(0, async () => ({
    ...IntegrityReport.parse({}),
    examples: [1 as unknown as string],
  }));
  let request: IntegrityReport | undefined;

  await runAt(15, async (given) => {
    request = given;
    return given;
  });

  expect(request).toEqual(IntegrityReport.parse({}));
});
