/** Replays all attacks and false alarms in processes, and compares the outcomes with what the registry promises. */
import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { availableParallelism } from 'node:os';
import { fileURLToPath } from 'node:url';
import { attacks, falseAlarms, planAttack } from './dataset.ts';
import { judgeAttack, judgeFalseAlarm } from './judge.ts';
import type { ReplayAnswer } from './replay-process.ts';
import {
  formatAlarmTable,
  formatAttackTable,
  formatChangeTable,
  type ReplayOutcomes,
} from './tables.ts';

export interface ReplayReport {
  readonly attackTable: string;
  readonly changeTable: string;
  readonly alarmTable: string;
  readonly violations: readonly string[];
}

const program = fileURLToPath(new URL('./replay-process.ts', import.meta.url));

/** The logs of the functions are left out, and `Infinity` survives the way to this process. */
const startProcess = (): ChildProcess =>
  fork(program, { stdio: ['ignore', 'ignore', 'inherit', 'ipc'], serialization: 'advanced' });

/** Returns the ids, those with the most versions first: they take the longest. */
const listIds = (): string[] => [
  ...attacks
    .map((attack) => ({ id: attack.id, size: planAttack(attack).versions.length }))
    .toSorted((one, other) => other.size - one.size)
    .map(({ id }) => id),
  ...falseAlarms.map(({ id }) => id),
];

/** Replays everything. `onDone` gets the share that is done. */
export const replayAll = async (
  assembly: string,
  onDone: (share: number) => void = () => undefined,
): Promise<ReplayReport> => {
  const ids = listIds();
  const waiting = [...ids];
  const answers = new Map<string, ReplayAnswer>();
  const crew = Array.from({ length: availableParallelism() }, startProcess);
  try {
    await Promise.all(
      crew.map(async (process) => {
        for (let id = waiting.shift(); id !== undefined; id = waiting.shift()) {
          process.send({ id, assembly });
          const [answer] = (await once(process, 'message')) as [ReplayAnswer];
          answers.set(id, answer);
          onDone(answers.size / ids.length);
        }
      }),
    );
  } finally {
    for (const process of crew) process.kill();
  }
  return toReport(answers);
};

const toReport = (answers: ReadonlyMap<string, ReplayAnswer>): ReplayReport => {
  const found = [...answers];
  const outcomes: ReplayOutcomes = {
    attacks: new Map(found.flatMap(([id, { attack }]) => (attack ? [[id, attack]] : []))),
    falseAlarms: new Map(
      found.flatMap(([id, { falseAlarm }]) => (falseAlarm ? [[id, falseAlarm]] : [])),
    ),
  };
  return {
    attackTable: formatAttackTable(outcomes),
    changeTable: formatChangeTable(outcomes),
    alarmTable: formatAlarmTable(outcomes),
    violations: [
      ...found.flatMap(([, { error }]) => error ?? []),
      ...attacks.flatMap((attack) => {
        const outcome = outcomes.attacks.get(attack.id);
        return outcome ? judgeAttack(planAttack(attack), outcome) : [];
      }),
      ...[...outcomes.falseAlarms].flatMap(([id, outcome]) => judgeFalseAlarm(id, outcome)),
    ],
  };
};
