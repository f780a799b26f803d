/** Replays attacks and false alarms in a separate process, one for each core. */
import { attacks, falseAlarms, planAttack } from './dataset.ts';
import type { TeamOutcomes } from './judge.ts';
import { replayAttack } from './replay-attack.ts';
import { type CleanOutcome, planFalseAlarm, replayFalseAlarm } from './replay-false-alarm.ts';
import { type ReplayRig, startReplayRig } from './simulated-registry.ts';

/** What to replay, by its id. */
export interface ReplayOrder {
  readonly id: string;
  /** The cloud assembly of the stack. */
  readonly assembly: string;
}

/** Outcome of one replay; neither member if the data do not suffice. */
export interface ReplayAnswer {
  readonly attack?: TeamOutcomes;
  readonly falseAlarm?: readonly CleanOutcome[];
  readonly error?: string;
}

/** Replays an attack or a false alarm. */
export const replayOne = async (rig: ReplayRig, id: string): Promise<ReplayAnswer> => {
  const attack = attacks.find((one) => one.id === id);
  const alarm = falseAlarms.find((one) => one.id === id);
  const planned = alarm && planFalseAlarm(alarm);
  if (planned) return { falseAlarm: await replayFalseAlarm(rig, planned) };
  const plan = attack && planAttack(attack);
  // Images are approved by digest, and no feed names them.
  if (!plan || plan.versions.length === 0 || attack.ecosystem === 'docker') return {};
  const replay = (team: keyof TeamOutcomes) => replayAttack(rig, plan, team);
  const [submits, follows] = [await replay('submits'), await replay('follows')];
  return { attack: { submits, follows, trusted: await replay('trusted') } };
};

let rig: Promise<ReplayRig> | undefined;

process.on('message', ({ id, assembly }: ReplayOrder) => {
  rig ??= startReplayRig(assembly);
  rig
    .then((running) => replayOne(running, id))
    .then(
      (answer) => process.send?.(answer),
      (error: unknown) => process.send?.({ error: `${id}: ${error}` }),
    );
});
