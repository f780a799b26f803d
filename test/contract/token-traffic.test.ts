import { setTimeout as delay } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import { packagePath, TestRegistry } from '../support/registry.ts';

const [first, second, stranger] = ['first', 'second', 'stranger'].map((name) =>
  `${name}-token-`.padEnd(40, 'x'),
) as [string, string, string];

/** What is promised, in milliseconds, and a little for the request itself. */
const newWorksWithin = 10_000;
const removedStopsWithin = 60_000;
const slack = 1500;
/** How often each caller shows every token, however soon it is answered. */
const turnMs = 400;

interface Verdict {
  readonly token: string;
  readonly asked: number;
  readonly answered: number;
  readonly status: number;
}

describe('the secret under constant traffic', () => {
  it('is replaced without a token refused or accepted outside the bounds', async () => {
    const registry = await TestRegistry.start({ tokens: first });
    const secretId = Object.keys(registry.stack.model.secrets)[0] ?? '';
    const verdicts: Verdict[] = [];
    let isDone = false;

    const send = async (token: string): Promise<void> => {
      const asked = performance.now();
      const { status } = await registry.post(packagePath('nobody', '/approve'), {}, { token });
      verdicts.push({ token, asked, answered: performance.now(), status });
    };
    const caller = async (): Promise<void> => {
      while (!isDone) {
        const turn = delay(turnMs);
        for (const token of [first, second, stranger]) await send(token);
        await turn;
      }
    };
    const replace = async (list: string): Promise<{ begun: number; done: number }> => {
      const begun = performance.now();
      await registry.stack.secrets.put(secretId, list);
      return { begun, done: performance.now() };
    };

    const callers = Array.from({ length: 4 }, caller);
    await delay(3000);
    const added = await replace(`${second},${first}`);
    await delay(newWorksWithin + 2000);
    const removed = await replace(second);
    await delay(removedStopsWithin + 3000);
    isDone = true;
    await Promise.all(callers);
    await registry.close();

    const accepted = verdicts.filter(({ status }) => status === 404);
    const refused = verdicts.filter(({ status }) => status === 403);
    expect(accepted.length + refused.length).toBe(verdicts.length);
    expect(verdicts.length).toBeGreaterThan(100);
    const wronglyAccepted = accepted.filter(
      ({ token, asked, answered }) =>
        token === stranger ||
        (token === second && answered < added.begun) ||
        (token === first && asked > removed.done + removedStopsWithin + slack),
    );
    const wronglyRefused = refused.filter(
      ({ token, asked, answered }) =>
        (token === first && answered < removed.begun) ||
        (token === second && asked > added.done + newWorksWithin + slack),
    );
    expect({ wronglyAccepted, wronglyRefused }).toEqual({
      wronglyAccepted: [],
      wronglyRefused: [],
    });
    // Both replacements were seen: the new token worked in the end, and the old one no longer did.
    expect(accepted.some(({ token }) => token === second)).toBe(true);
    expect(refused.some(({ token, asked }) => token === first && asked > removed.done)).toBe(true);
  });
});
