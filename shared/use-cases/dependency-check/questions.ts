import { maxChecked, maxWithHashes } from '../../domain/packages/check-limits.ts';
import { isPackageVersion } from '../../domain/packages/package-version.ts';
import { splitBySize, splitInto } from '../../util/split-into.ts';
import type { UsedVersion } from './findings.ts';

/** Returns a version as an item of a `POST /check` request. The digest beside a tag is the hash of the image. */
export const toQuestion = ({ dependency }: UsedVersion) => {
  const { ecosystem, name, version, hashes, tag } = dependency;
  if (tag !== undefined && isPackageVersion(ecosystem, tag)) {
    return { ecosystem, name, version: tag, hashes: [version] };
  }
  return { ecosystem, name, version, ...(hashes && { hashes: [...hashes] }) };
};

/** True if the answer needs the reviewed hashes. Those of an image by its tag are the digest that was approved. */
const readsHashes = ({ dependency: { ecosystem, hashes } }: UsedVersion): boolean =>
  ecosystem === 'docker' || hashes !== undefined;

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
  const hashed = used.filter(readsHashes);
  const plain = used.filter((one) => !readsHashes(one));
  return [...splitInto(maxChecked, plain), ...splitBySize(hashed, hashedLimits)];
};
