import { createHash } from 'node:crypto';
import { hashAlgorithms } from '../../../shared/domain/packages/file-hash.ts';
import { NegativeResultError } from '../../failure/negative-result-error.ts';
import type { Statement } from '../../presentation/signed-decision.ts';

type Subject = Statement['subject'][number];

/** Algorithms that an attacker can find a second file for. */
const weak = ['md5', 'sha1'];

/** File whose digests are among the subjects of a statement. */
export interface MatchedArtifact {
  readonly file: string;
  readonly subject: string;
  /** The strongest algorithm that was compared. */
  readonly algorithm: string;
  readonly isWeak: boolean;
}

/** Returns the algorithms of a subject that can be computed, the weakest first. */
const listAlgorithms = ({ digest }: Subject): string[] =>
  hashAlgorithms.filter((algorithm) => Object.hasOwn(digest, algorithm));

/**
 * Returns the subject of a statement with all digests of a file.
 * @throws {NegativeResultError} if there is none
 */
export const matchArtifact = (
  file: string,
  content: Uint8Array,
  { subject: subjects }: Statement,
): MatchedArtifact => {
  const digests = new Map<string, string>();
  const digestBy = (algorithm: string): string => {
    const known = digests.get(algorithm) ?? createHash(algorithm).update(content).digest('hex');
    digests.set(algorithm, known);
    return known;
  };
  const comparable = subjects.filter((subject) => listAlgorithms(subject).length > 0);
  if (comparable.length === 0) {
    throw new NegativeResultError(
      `The statement has no digests of files, so it does not cover ${file}.`,
      ['The registry did not know the files of the version when it was decided.'],
    );
  }
  const matched = comparable.find((subject) =>
    listAlgorithms(subject).every((algorithm) => subject.digest[algorithm] === digestBy(algorithm)),
  );
  if (!matched) {
    throw new NegativeResultError(
      `The statement does not cover ${file}: no subject has its digest, sha256:${digestBy('sha256')}.`,
      ['Do not use the file: it was changed, or it belongs to another version.'],
    );
  }
  const algorithm = listAlgorithms(matched).at(-1) ?? '';
  return { file, subject: matched.name, algorithm, isWeak: weak.includes(algorithm) };
};
