import type { FileHash } from '../../domain/packages/file-hash.ts';
import { isObject, type JsonObject, parseJson, readTextAt } from '../../util/json.ts';

/** In-toto statement: what an attestation says about some files. Source: spec/v1/statement.md of in-toto/attestation. */
export interface Statement {
  readonly predicateType: string;
  readonly subjects: readonly unknown[];
  readonly predicate: JsonObject;
}

/** File that an attestation has to be about. */
export interface ExpectedSubject {
  /** True for the names by which the attestation may call the file. */
  readonly isName: (name: string) => boolean;
  readonly hash: FileHash;
  /** True for an image, of which a mere signature counts, too. */
  readonly isImage?: true;
}

const payloadType = 'application/vnd.in-toto+json';

/** Returns the statement of an envelope; undefined if the payload is no statement. */
export const readStatement = (type: string, payload: Buffer): Statement | undefined => {
  if (type !== payloadType) return undefined;
  const statement = parseJson(payload.toString());
  if (!isObject(statement)) return undefined;
  const { subject, predicateType, predicate } = statement;
  return Array.isArray(subject) && typeof predicateType === 'string'
    ? { predicateType, subjects: subject, predicate: isObject(predicate) ? predicate : {} }
    : undefined;
};

/** True if the statement has exactly one subject, which is the expected file. */
export const isAbout = (
  { subjects: [subject, ...others] }: Statement,
  { isName, hash }: ExpectedSubject,
): boolean =>
  others.length === 0 &&
  isName(readTextAt(subject, 'name') ?? '') &&
  readTextAt(subject, 'digest', hash.algorithm)?.toLowerCase() === hash.hex;

/** Longer URLs are compared by their beginning. */
const longestUrl = 2_000;

/** Returns a repository's URL without its transport prefix, its reference and `.git`, in lower case. */
const normalizeRepository = (url: string): string =>
  url
    .slice(0, longestUrl)
    .toLowerCase()
    .replace(/^git\+/, '')
    .replace(/@[^@/]*(?:\/[^@]*)?$/, '')
    .replace(/\.git$/, '')
    .replace(/\/$/, '');

/** Returns the source repository that SLSA provenance of version 1 or 0.2 names; undefined if it names none. */
const findNamedRepository = ({ predicate }: Statement): string | undefined =>
  readTextAt(predicate, 'buildDefinition', 'externalParameters', 'workflow', 'repository') ??
  readTextAt(predicate, 'invocation', 'configSource', 'uri');

/** True if a statement names another source repository than the certificate of its signer. */
export const namesOtherRepository = (
  statement: Statement,
  sourceRepository: string | null,
): boolean => {
  const named = findNamedRepository(statement);
  return (
    named !== undefined &&
    sourceRepository !== null &&
    normalizeRepository(named) !== normalizeRepository(sourceRepository)
  );
};
