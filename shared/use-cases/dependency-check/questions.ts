import { maxChecked, maxWithHashes } from '../../domain/packages/check-limits.ts';
import { splitBySize, splitInto } from '../../util/split-into.ts';
import type { UsedVersion } from './findings.ts';

/** Returns a version as `POST /check` takes it. */
export const toQuestion = ({ dependency }: UsedVersion) => {
  const { ecosystem, name, version, hashes } = dependency;
  return { ecosystem, name, version, ...(hashes && { hashes: [...hashes] }) };
};

const hashedLimits = {
  /** Half of what a request takes: what is large to read stays within what a request may read. */
  mostItems: maxWithHashes / 2,
  /** Below what a request may have, so that there is room for what goes around the versions. */
  mostBytes: 900_000,
  measure: (used: UsedVersion): number =>
    new TextEncoder().encode(JSON.stringify(toQuestion(used))).length + 1,
};

/** Cuts versions into as many requests as they need. */
export const cutIntoQuestions = (
  used: readonly UsedVersion[],
): readonly (readonly UsedVersion[])[] => {
  const hashed = used.filter(({ dependency }) => dependency.hashes !== undefined);
  const plain = used.filter(({ dependency }) => dependency.hashes === undefined);
  return [...splitInto(maxChecked, plain), ...splitBySize(hashed, hashedLimits)];
};
