import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest';
import { attacks, falseAlarms, planAttack } from './attacks/dataset.ts';
import { judgeAttack, judgeFalseAlarm } from './attacks/judge.ts';
import { knownMisses, notReplayed } from './attacks/known-misses.ts';
import { planFalseAlarm } from './attacks/replay-false-alarm.ts';
import { replayOne } from './attacks/replay-process.ts';
import { type ReplayRig, startReplayRig } from './attacks/simulated-registry.ts';
import { type CapturedLog, captureLog } from './rig/captured-log.ts';
import { canary } from './rig/tokens.ts';

let log: CapturedLog;
let rig: ReplayRig;
beforeAll(async () => {
  log = captureLog(canary);
  rig = await startReplayRig(inject('assembly'));
});
afterAll(async () => {
  await rig.close();
  log.end();
});

const replayAttackOf = async (id: string) => {
  const attack = attacks.find((one) => one.id === id);
  const { attack: outcomes } = await replayOne(rig, id);
  if (!attack || !outcomes) throw new Error(`${id} was not replayed`);
  return { plan: planAttack(attack), outcomes };
};

describe('a real attack', () => {
  it.each([
    ['telnyx-2026-03', 'removal'],
    ['bitwarden-cli-2026-04', 'record'],
    ['mvnpm-posthog-2025-11', 'record'],
  ])('gets in by no rule, and out in minutes if a person let it in: %s', async (id, stoppedBy) => {
    const { plan, outcomes } = await replayAttackOf(id);

    expect(judgeAttack(plan, outcomes)).toEqual([]);
    expect(outcomes.trusted).toMatchObject(
      plan.versions.map(() => ({ hasGotIn: true, stoppedBy })),
    );
    expect(outcomes.follows.some(({ hasGotIn }) => hasGotIn)).toBe(false);
  });

  it('without a record of malware and a removal stays with the team that approved it', async () => {
    const { plan, outcomes } = await replayAttackOf('rc-2021-11');

    expect(judgeAttack(plan, outcomes)).toEqual([]);
    expect(outcomes.trusted).toMatchObject(plan.versions.map(() => ({ stoppedBy: 'nothing' })));
    expect(outcomes.follows).toMatchObject(
      plan.versions.map(() => ({ hasGotIn: false, issues: ['install_scripts_added'] })),
    );
  });
});

describe('a false alarm', () => {
  it.each([
    ['cdktn-provider-datadog-2026-05', 'exact', { isRecalled: true, isReleased: true }],
    ['solana-web3-2024-12', 'young in a bare range', { isRecalled: true, isReleased: true }],
    ['supabase-2026-06', 'old in a bare range', { isRecalled: false }],
  ])(
    'recalls no old version by a bare range, and ends with its record: %s',
    async (id, naming, expected) => {
      const { falseAlarm = [] } = await replayOne(rig, id);

      expect(judgeFalseAlarm(id, falseAlarm)).toEqual([]);
      expect(falseAlarm.find((one) => one.naming === naming)).toMatchObject(expected);
    },
  );
});

describe('a promise that does not hold', () => {
  const [plan, known] = ['bitwarden-cli-2026-04', 'rc-2021-11'].map((id) => {
    const attack = attacks.find((one) => one.id === id);
    if (!attack) throw new Error(`There is no ${id}`);
    return planAttack(attack);
  });
  const outcomesOf = (some: object, { versions } = plan ?? { versions: [] }) => {
    const outcome = {
      hasGotIn: false,
      afterPublication: 0,
      stoppedBy: 'record',
      issues: [],
    } as const;
    const stopped = versions.map((version) => ({ ...outcome, version }));
    return { submits: stopped, follows: stopped, trusted: stopped, ...some };
  };
  const [version] = plan?.versions ?? [];

  it.each([
    [{ follows: [{ version, hasGotIn: true, stoppedBy: 'record' }] }, 'a rule approved it'],
    [{ trusted: [{ version, afterRecord: 6, stoppedBy: 'record' }] }, '6 minutes after the record'],
    [{ trusted: [{ version, afterRemoval: 71 }] }, '71 minutes after the removal'],
    [{ trusted: [{ version, stoppedBy: 'nothing' }] }, 'not stopped, and no known miss'],
  ])('is a violation: %j', (some, words) => {
    expect(plan && judgeAttack(plan, outcomesOf(some)).join()).toContain(words);
  });

  it('is a violation if it is no miss any more, or if a stated change raised no issue', () => {
    expect(known && judgeAttack(known, outcomesOf({}, known))).toEqual([
      'rc-2021-11: no install_scripts_added',
      'rc-2021-11: a known miss, but stopped',
    ]);
  });

  it('is a violation if a clean version is recalled by a bare range, or not released', () => {
    const outcome = { version: '1.0.0', naming: 'old in a bare range', isRecalled: true } as const;

    expect(judgeFalseAlarm('x', [{ ...outcome, isReleased: false }])).toHaveLength(2);
  });
});

describe('the data', () => {
  it('say of each attack and each false alarm whether it is replayed', () => {
    const planned = [
      ...attacks.filter((one) => one.ecosystem !== 'docker' && planAttack(one).versions.length > 0),
      ...falseAlarms.filter((one) => planFalseAlarm(one)),
    ];
    const ids = planned.map(({ id }) => id);

    expect([...ids, ...Object.keys(notReplayed)].sort()).toEqual(
      [...attacks, ...falseAlarms].map(({ id }) => id).sort(),
    );
    expect(ids).toEqual(expect.arrayContaining(Object.keys(knownMisses)));
  });
});
