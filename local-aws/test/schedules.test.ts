import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { type Schedules, startSchedules } from '../src/stack/run-schedules.ts';
import type { Schedule, ScheduleTarget } from '../src/template/model.ts';
import { ruleArn } from '../src/template/names.ts';

let running: Schedules | undefined;

beforeEach(() => {
  vi.useFakeTimers();
});

afterEach(() => {
  running?.close();
  vi.useRealTimers();
});

const target: ScheduleTarget = { functionId: 'Worker', permitted: true, retryAttempts: 2 };

const hourMs = 3_600_000;

const start = (
  everyMs: number,
  change: Partial<ScheduleTarget> = {},
  invoke: (functionId: string, event: unknown) => unknown = () => undefined,
) => {
  const events: unknown[] = [];
  const problems: string[] = [];
  const rule: Schedule = {
    id: 'Rule',
    arn: ruleArn('Rule'),
    everyMs,
    targets: [{ ...target, ...change }],
  };
  running = startSchedules({
    schedules: { Rule: rule },
    invoke: async (functionId, event) => {
      events.push(event);
      return invoke(functionId, event);
    },
    onProblem: (_, line) => problems.push(line),
  });
  return { events, problems, schedules: running };
};

describe('a schedule', () => {
  it.each([
    ['an hour', hourMs],
    ['sixty days, longer than any timer', 60 * 24 * hourMs],
  ])('invokes its function after each interval of %s', async (_, everyMs) => {
    const { events } = start(everyMs);

    await vi.advanceTimersByTimeAsync(everyMs - 1);
    const before = events.length;
    await vi.advanceTimersByTimeAsync(2 * everyMs + 1);

    expect([before, events.length]).toEqual([0, 3]);
  });

  it('invokes nothing once it is closed', async () => {
    const { events, schedules } = start(hourMs);

    schedules.close();
    await vi.advanceTimersByTimeAsync(2 * hourMs);

    expect(events).toEqual([]);
  });

  it('can be run at once, with EventBridge’s event', async () => {
    const { events, schedules } = start(hourMs);

    await schedules.run('Rule');

    expect(events).toEqual([
      {
        version: '0',
        id: expect.stringMatching(/^[0-9a-f-]{36}$/),
        'detail-type': 'Scheduled Event',
        source: 'aws.events',
        account: '000000000000',
        time: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ$/),
        region: 'us-east-1',
        resources: ['arn:aws:events:us-east-1:000000000000:rule/Rule'],
        detail: {},
      },
    ]);
  });

  it('sends its own input instead', async () => {
    const { events, schedules } = start(hourMs, { input: { task: 'daily' } });

    await schedules.run('Rule');

    expect(events).toEqual([{ task: 'daily' }]);
  });

  it('tries a failed run again as Lambda does, tells why, and goes on with the next', async () => {
    const { events, problems } = start(hourMs, {}, () => {
      throw new Error('out of order');
    });

    await vi.advanceTimersByTimeAsync(hourMs);
    await vi.advanceTimersByTimeAsync(60_000);
    const afterAMinute = events.length;
    await vi.advanceTimersByTimeAsync(120_000);
    const afterThree = events.length;
    await vi.advanceTimersByTimeAsync(hourMs - 180_000);

    expect([afterAMinute, afterThree, events.length]).toEqual([2, 3, 4]);
    expect(problems[0]).toBe('Rule failed: Error: out of order');
  });

  it('rejects when it is run at once and fails', async () => {
    const { schedules } = start(hourMs, {}, () => {
      throw new Error('out of order');
    });

    await expect(schedules.run('Rule')).rejects.toThrow('out of order');
  });

  it('invokes nothing that it has no permission for', async () => {
    const { events, problems, schedules } = start(hourMs, { permitted: false });

    const refused = 'no AWS::Lambda::Permission lets Rule invoke Worker';
    await expect(schedules.run('Rule')).rejects.toThrow(refused);
    await vi.advanceTimersByTimeAsync(hourMs);

    expect(problems).toEqual([`Rule failed: Error: ${refused}`]);
    expect(events).toEqual([]);
  });

  it('rejects for a rule that is not there', async () => {
    const { schedules } = start(hourMs);

    await expect(schedules.run('Other')).rejects.toThrow('no schedule Other');
  });
});
