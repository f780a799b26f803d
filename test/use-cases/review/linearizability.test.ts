import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { PackageId } from '../../../shared/domain/packages/package-id.ts';
import { listRecords } from '../../../shared/storage/decisions/records.ts';
import { dynamodb } from '../../../shared/storage/dynamodb/dynamodb.ts';
import { findVersion } from '../../../shared/storage/packages/write-version.ts';
import { startEngine, type TestEngine } from '../../support/engine.ts';
import { type FaultShares, injected, withFaults } from '../../support/faults.ts';
import { histories } from '../../support/histories.ts';
import { createRandom } from '../../support/random.ts';
import { isLinearizable, type Operation } from './find-linearization.ts';
import { createClients, type History } from './history.ts';
import type { State } from './version-model.ts';

const clients = 6;
const stepsOfEach = 25;

const versions: readonly PackageId[] = ['1.0.0', '1.1.0', '2.0.0'].map((version) => ({
  ecosystem: 'npm',
  name: 'left-pad',
  version,
}));

const shares: FaultShares = {
  ...{ conflict: 12, throttling: 5, lostAnswer: 8 },
  ...{ lateWrite: 8, deathBefore: 2, deathAfter: 3 },
};

/** Has all clients act at once, and looks what came of it. */
const makeHistory = async (seed: number): Promise<History> => {
  const random = createRandom(seed);
  const { act, look, history } = createClients(random, versions);
  const client = async (): Promise<void> => {
    for (let step = 0; step < stepsOfEach; step += 1) await act();
  };
  await withFaults(random, () => Promise.all(Array.from({ length: clients }, client)), shares);
  await look();
  return history;
};

const findBroken = ({ operations }: History): string[] =>
  [...operations].flatMap(([version, ofVersion]) =>
    isLinearizable<State>(ofVersion, null) ? [] : [version],
  );

let engine: TestEngine;

beforeEach(async () => {
  engine = await startEngine();
});
afterEach(() => engine.close());

describe('what several clients do with a version at once', () => {
  const seen = new Set<string>();

  it.each(Array.from({ length: histories(8) }, (_, at) => at + 1))(
    'could have happened one after the other, and leaves a record of each change (seed %i)',
    async (seed) => {
      const history = await makeHistory(seed);

      expect(findBroken(history)).toEqual([]);
      for (const what of history.outcomes.keys()) seen.add(what);
      for (const id of versions) {
        const records = await listRecords(id, { count: 1000 });
        // One for each change, and one for the submission.
        expect(records).toHaveLength(((await findVersion(id))?.revision ?? -1) + 1);
        for (const { type } of records) seen.add(type);
      }
    },
  );

  it('has ended in every way that there is', () => {
    const outcomes = ['done', 'unknown', 'undone', 'decision_in_force', 'decision_conflict'];
    for (const outcome of outcomes) expect(seen).toContain(`decide ${outcome}`);
    expect(seen).toContain('package.expired');
    expect(Object.entries(injected).filter(([, count]) => count === 0)).toEqual([]);
  });
});

/** Keys of the tables whose writes lose their condition: the version, its rows in lists, and its review state. */
const keysOf: Readonly<Record<string, string>> = {
  packages: 'name_key',
  catalogue: 'p',
  reviews: 'v',
};

interface GuardedWrite {
  readonly TableName: string;
  readonly ConditionExpression?: string;
}

const withoutCondition = (write: GuardedWrite): GuardedWrite => {
  const key = keysOf[write.TableName];
  if (!key || !write.ConditionExpression) return write;
  const always = `attribute_exists(${key}) OR attribute_not_exists(${key})`;
  return { ...write, ConditionExpression: `${always} OR (${write.ConditionExpression})` };
};

/** Has the version be written whatever it has become, as if its update had no condition. */
const loseUpdates = (): void =>
  dynamodb.middlewareStack.add(
    (next) => (args) => {
      const input: object = args.input;
      if (!('TransactItems' in input) || !Array.isArray(input.TransactItems)) return next(args);
      const TransactItems = input.TransactItems.map((item) =>
        Object.fromEntries(
          Object.entries(item).map(([kind, write]) => [kind, withoutCondition(Object(write))]),
        ),
      );
      return next({ ...args, input: { ...args.input, TransactItems } });
    },
    { step: 'initialize', name: 'loseUpdates', priority: 'high' },
  );

describe('the check', () => {
  afterEach(() => {
    dynamodb.middlewareStack.remove('loseUpdates');
  });

  it('sees an update that was lost', async () => {
    loseUpdates();

    const broken = findBroken(await makeHistory(9));

    expect(broken).not.toEqual([]);
  });

  /** A register that is written and read. */
  const write = (value: number, began: number, ended: number): Operation<number> => ({
    ...{ began, ended, times: ended === Number.POSITIVE_INFINITY ? 'perhaps' : 'once' },
    apply: () => value,
  });
  const read = (value: number, began: number, ended: number): Operation<number> => ({
    ...{ began, ended, times: 'once' },
    apply: (state) => (state === value ? state : undefined),
  });
  const never = Number.POSITIVE_INFINITY;
  const cases: [string, boolean, Operation<number>[]][] = [
    ['a read after a write', true, [write(1, 1, 2), read(1, 3, 4)]],
    ['a stale read', false, [write(1, 1, 2), read(0, 3, 4)]],
    ['a stale read while the write is under way', true, [write(1, 1, 4), read(0, 2, 3)]],
    ['a value that comes and goes', false, [write(1, 1, 6), read(1, 2, 3), read(0, 4, 5)]],
    ['a write of unknown outcome, late', true, [write(1, 1, never), read(0, 2, 3), read(1, 4, 5)]],
    ['a write of unknown outcome, never', true, [write(1, 1, never), read(0, 2, 3)]],
    ['a value that nobody wrote', false, [write(1, 1, never), read(2, 2, 3)]],
  ];

  it.each(cases)('judges %s: %s', (_, isRight, history) => {
    expect(isLinearizable(history, 0)).toBe(isRight);
  });
});
