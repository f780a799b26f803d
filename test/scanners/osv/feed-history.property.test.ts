import fc from 'fast-check';
import { expect, it, vi } from 'vitest';
import { createRandom, type Random } from '../../support/random.ts';
import { list, now, startRuns, toTime, useFeedServer } from './feed-runs.ts';

const feed = useFeedServer();

const minuteMs = 60_000;

/** A feed whose records change. Some rows appear up to a day late, and some are in the wrong place. */
const createHistory = (random: Random) => {
  let clock = 20_000;
  const rows = new Map<string, number>();
  const older = Array.from({ length: 30 }, (_, at) => `${toTime(100_000 + at)},MAL-2020-${at}\n`);
  const changes = new Set<string>();
  let records = 0;

  const change = (): void => {
    const known = [...rows.keys()];
    const isNew = known.length === 0 || random.below(4) > 0;
    const database = random.below(5) === 0 ? 'GHSA' : 'MAL';
    const id = isNew ? `${database}-2026-${records}` : random.pick(known);
    records += 1;
    // Late rows are within the window, and no time occurs twice for a record.
    const late = random.below(4) === 0 ? random.below(1400) : 0;
    const minutesAgo = clock + late + random.next();
    rows.set(id, minutesAgo);
    if (id.startsWith('MAL-')) changes.add(`${id} ${toTime(minutesAgo)}`);
  };

  const toLines = (): string[] =>
    [...rows]
      .sort(([, one], [, other]) => one - other)
      .map(([id, minutesAgo]) => `${toTime(minutesAgo)},${id}\n`);

  const publish = (): void => {
    const lines = toLines();
    for (let swaps = random.below(4); swaps > 0 && lines.length > 0; swaps -= 1) {
      const [from, to] = [random.below(lines.length), random.below(lines.length)];
      const [one = '', other = ''] = [lines[from], lines[to]];
      [lines[from], lines[to]] = [other, one];
    }
    if (random.below(5) === 0) lines.splice(random.below(lines.length + 1), 0, 'no row\n');
    const text = [...lines, ...older].join('');
    // A cut list has no end.
    const length = random.below(8) === 0 ? random.below(text.length) : text.length;
    feed.server.put(list, text.slice(0, length));
  };

  return {
    changes,
    /** Lists the changes of malware records that the list has now. */
    listCurrent: () =>
      [...rows]
        .map(([id, minutesAgo]) => `${id} ${toTime(minutesAgo)}`)
        .filter((one) => changes.has(one)),
    /** Changes records in a time of some minutes, and publishes the list. */
    step: () => {
      clock -= 1 + random.below(60);
      vi.setSystemTime(now - clock * minuteMs);
      for (let count = random.below(12); count > 0; count -= 1) change();
      publish();
    },
    /** Publishes the list in its order. */
    settle: () => feed.server.put(list, [...toLines(), ...older].join('')),
  };
};

/** Limits so small that a list needs several requests and runs. */
const limits = {
  ...{ rows: 40, changes: 7, bytes: 4000, partBytes: 600, overlapBytes: 120 },
  ...{ rowsBelow: 20, remembered: 50 },
};

it('lists each change once, in any split of a history over runs', async () => {
  await fc.assert(
    fc.asyncProperty(fc.integer(), fc.boolean(), async (seed, ignoresRanges) => {
      const random = createRandom(seed);
      const history = createHistory(random);
      feed.server.ignoresRanges = ignoresRanges;
      const runs = startRuns(feed.server, { limits });
      const found: string[] = [];
      const run = async (): Promise<boolean> => {
        const { changes, isComplete } = await runs.run();
        found.push(...changes.map(({ id, modified }) => `${id} ${modified}`));
        return isComplete;
      };
      history.step();
      for (let steps = 0; steps < 40; steps += 1) {
        if (random.below(3) === 0) history.step();
        await run();
      }
      history.settle();
      for (let quiet = 0; quiet < 2; ) quiet = (await run()) ? quiet + 1 : 0;

      expect(found).toHaveLength(new Set(found).size);
      expect(found.filter((one) => !history.changes.has(one))).toEqual([]);
      expect(history.listCurrent().filter((one) => !found.includes(one))).toEqual([]);
    }),
    { numRuns: 60, seed: 1 },
  );
});
