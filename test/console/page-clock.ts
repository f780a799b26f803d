import type { Page } from 'puppeteer-core';

/** Timers that are shorter let the page draw; they run as they are. */
const shortestMs = 200;

/** Keeps the clock of a page still: its timers wait until the test lets time pass. Runs in the page. */
const holdClock = (shortest: number): void => {
  const page = globalThis as unknown as Record<string, unknown> & typeof globalThis;
  const { setTimeout: start, clearTimeout: end, fetch: send } = page;
  const timers = new Map<unknown, { readonly at: number; readonly act: () => void }>();
  const requests: string[] = [];
  let now = Date.now();
  let active = 0;
  let last = 0;
  Date.now = () => now;
  page['setTimeout'] = ((act: () => void, ms = 0) => {
    if (ms < shortest) return start(act, ms);
    last += 1;
    timers.set(`held ${last}`, { at: now + ms, act });
    return `held ${last}`;
  }) as unknown as typeof start;
  page['clearTimeout'] = ((timer: number) => {
    if (!timers.delete(timer)) end(timer);
  }) as typeof end;
  page.fetch = async (...input: Parameters<typeof send>) => {
    requests.push(String(input[0]));
    active += 1;
    try {
      return await send(...input);
    } finally {
      active -= 1;
    }
  };
  page['heldClock'] = {
    requests,
    countTimers: () => timers.size,
    isQuiet: () => active === 0,
    advance: (ms: number) => {
      const until = now + ms;
      for (;;) {
        const [due] = [...timers]
          .filter(([, { at }]) => at <= until)
          .sort(([, one], [, other]) => one.at - other.at);
        if (!due) break;
        const [timer, { at, act }] = due;
        timers.delete(timer);
        now = Math.max(now, at);
        act();
      }
      now = until;
    },
  };
};

/** The clock of a page, which a test moves. */
export interface PageClock {
  /** Lets time pass: timers that are due run, in their order. */
  readonly advance: (ms: number) => Promise<void>;
  /** How many timers wait. */
  readonly countTimers: () => Promise<number>;
  /** The addresses that the page asked since the last call of this, once each of them is answered. */
  readonly takeRequests: () => Promise<string[]>;
}

/** Has a page go by a clock that the test moves, from the next time on that it is loaded. */
export const simulateClock = async (page: Page): Promise<PageClock> => {
  await page.evaluateOnNewDocument(`(${holdClock})(${shortestMs})`);
  return {
    advance: async (ms) => {
      await page.evaluate(`heldClock.advance(${ms})`);
    },
    countTimers: async () => (await page.evaluate('heldClock.countTimers()')) as number,
    takeRequests: async () => {
      await page.waitForFunction('heldClock.isQuiet()');
      return (await page.evaluate('heldClock.requests.splice(0)')) as string[];
    },
  };
};
