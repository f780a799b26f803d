/** One history: several concurrent clients with faults in engine calls. */
import type { Random } from '../../support/random.ts';
import type { Send } from '../rig/answers.ts';
import { createPart } from '../rig/seeds.ts';
import { runStep } from '../rig/steps.ts';
import { readList, readScans, readVersion, readVersions } from './reads.ts';
import { type HistoryRecord, startRecord } from './record.ts';
import { makeTag, makeVersions } from './versions.ts';
import { decide, decideMany, intrude, type Step, submit, submitMany, upload } from './writes.ts';

/** The operations on one version; each runs as often as it appears here. */
const acts = [
  ...[submit, submit, decide, decide, decide, decide, upload, intrude],
  ...[readVersion, readVersion, readScans],
];

export interface HistoryOptions {
  readonly seed: number;
  readonly send: Send;
  readonly token: string;
  readonly clients?: number | undefined;
  readonly stepsOfEach?: number | undefined;
  /** Whether the registry scans new versions itself. */
  readonly isScanning?: boolean;
}

/** A random subset in the same order. */
const pickSome = <T>(random: Random, all: readonly T[]): T[] => {
  const some = all.filter(() => random.below(2) === 0);
  return some.length > 0 ? some : all.slice(0, 1);
};

export const startHistory = ({
  seed,
  send,
  token,
  clients = 6,
  stepsOfEach = 20,
  isScanning = false,
}: HistoryOptions) => {
  const recorder = startRecord();
  const tag = makeTag(seed);
  const versions = makeVersions(createPart(seed, 'versions'), seed);
  const makeStep = (name: string): Step => ({
    name: `${tag}-${name}`,
    random: createPart(seed, name),
    ...{ send, recorder, token, isScanning },
  });

  const act = async (step: Step): Promise<void> => {
    const { random } = step;
    const id = random.pick(versions);
    const choices = [
      ...acts.map((one) => () => one(step, id)),
      () => submitMany(step, pickSome(random, versions)),
      () => decideMany(step, pickSome(random, versions)),
      () => readList(step, versions, tag),
      () => readList(step, versions, tag),
      () => readVersions(step, id, versions),
    ];
    await random.pick(choices)();
  };

  const runClient = async (client: number): Promise<void> => {
    for (let at = 0; at < stepsOfEach; at += 1) {
      const name = `${client}-${at}`;
      const step = makeStep(name);
      await runStep(name, () =>
        act(step).catch((error: unknown) => recorder.accuse(`${step.name}: ${error}`)),
      );
    }
  };

  return {
    versions,
    record: recorder.record satisfies HistoryRecord,
    /** Runs all clients. */
    run: async (): Promise<void> => {
      await Promise.all(Array.from({ length: clients }, (_, client) => runClient(client)));
    },
    /** Reads the final state. */
    look: async (): Promise<void> => {
      const step = makeStep('look');
      for (const id of versions) {
        await readVersion(step, id);
        await readScans(step, id);
      }
      await readList(step, versions, tag);
    },
  };
};
