import { splitInto } from '../domain/split-into.ts';
import type { UsedVersion } from './findings.ts';

/** What a request takes. */
const mostPlain = 1000;
/** Half of what a request takes with hashes: what is large to read stays within what a request may read. */
const mostWithHashes = 250;
/** Below what a request may have, so that there is room for what goes around the versions. */
const mostBytes = 900_000;

/** Returns a version as `POST /check` takes it. */
export const toQuestion = ({ dependency }: UsedVersion) => {
  const { ecosystem, name, version, hashes } = dependency;
  return { ecosystem, name, version, ...(hashes && { hashes: [...hashes] }) };
};

const measure = (used: UsedVersion): number =>
  new TextEncoder().encode(JSON.stringify(toQuestion(used))).length + 1;

const cutHashed = (used: readonly UsedVersion[]): UsedVersion[][] => {
  const batches: UsedVersion[][] = [];
  let bytes = 0;
  for (const one of used) {
    const size = measure(one);
    const last = batches.at(-1);
    if (last && last.length < mostWithHashes && bytes + size <= mostBytes) {
      last.push(one);
      bytes += size;
    } else {
      batches.push([one]);
      bytes = size;
    }
  }
  return batches;
};

/** Cuts versions into as many requests as they need. */
export const cutIntoQuestions = (
  used: readonly UsedVersion[],
): readonly (readonly UsedVersion[])[] => {
  const hashed = used.filter(({ dependency }) => dependency.hashes !== undefined);
  const plain = used.filter(({ dependency }) => dependency.hashes === undefined);
  return [...splitInto(mostPlain, plain), ...cutHashed(hashed)];
};
