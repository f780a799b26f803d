import { maxChecked, maxWithHashes } from '../../domain/packages/check-limits.ts';
import { splitBySize, splitInto } from '../../util/split-into.ts';
import type { UsedVersion } from './findings.ts';

/** Returns a version as an item of a `POST /check` request. */
export const toQuestion = ({ dependency }: UsedVersion) => {
  const { ecosystem, name, version, hashes } = dependency;
  return { ecosystem, name, version, ...(hashes && { hashes: [...hashes] }) };
};

const hashedLimits = {
  /** Half of the API's limit, so that the reads of large items stay within the read budget of a request. */
  mostItems: maxWithHashes / 2,
  /** Below the API's size limit, to leave room for the rest of the request. */
  mostBytes: 900_000,
  measure: (used: UsedVersion): number =>
    new TextEncoder().encode(JSON.stringify(toQuestion(used))).length + 1,
};

/** Splits versions into batches that each fit into one request. */
export const cutIntoQuestions = (
  used: readonly UsedVersion[],
): readonly (readonly UsedVersion[])[] => {
  const hashed = used.filter(({ dependency }) => dependency.hashes !== undefined);
  const plain = used.filter(({ dependency }) => dependency.hashes === undefined);
  return [...splitInto(maxChecked, plain), ...splitBySize(hashed, hashedLimits)];
};
