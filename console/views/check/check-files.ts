import type { RegistryClient } from '../../../shared/api/client/operations.ts';
import { RequestError } from '../../../shared/api/client/request-error.ts';
import { formatPackage } from '../../../shared/domain/packages/format-package.ts';
import {
  type ContentCounts,
  countContents,
} from '../../../shared/use-cases/dependency-check/contents.ts';
import {
  type Finding,
  isSubmittable,
  listUnpinned,
  listUsedVersions,
  type ProjectFile,
  sortFindings,
  toFinding,
  type UsedVersion,
} from '../../../shared/use-cases/dependency-check/findings.ts';
import {
  cutIntoQuestions,
  toQuestion,
} from '../../../shared/use-cases/dependency-check/questions.ts';
import {
  type CheckedSource,
  checkSources,
  holdToSources,
  joinOrigins,
  listOtherSources,
} from '../../../shared/use-cases/dependency-check/sources.ts';
import { runInParallel } from '../../../shared/util/in-parallel.ts';
import { splitInto } from '../../../shared/util/split-into.ts';
import { makeIdempotencyKey } from '../../api/client.ts';

/** The most submissions in one request. */
const maxSubmissions = 100;
const parallelRequests = 4;

/** The result of a check, the worst findings first. */
export interface Checked {
  readonly findings: readonly Finding[];
  /** The number of versions whose content was compared. */
  readonly contents: ContentCounts;
  /** The package indexes that the files name. */
  readonly sources: readonly CheckedSource[];
  /** The versions that are not in the registry, and can be submitted. */
  readonly missing: readonly UsedVersion[];
}

/**
 * Checks all versions that the files pin.
 * @throws {RequestError} if the registry cannot be reached, or does not answer for each version
 */
export const checkFiles = async (
  api: RegistryClient,
  files: readonly ProjectFile[],
  signal: AbortSignal,
): Promise<Checked> => {
  const used = listUsedVersions(files);
  const answers = await runInParallel(
    [...cutIntoQuestions(used)],
    parallelRequests,
    async (some) => {
      const packages = some.map(toQuestion);
      const answer = await api.checkPackages({ body: { packages } }, { signal });
      if (answer.packages.length === some.length) return { ...answer, some };
      const detail = 'The registry did not answer for every version. Try again.';
      throw new RequestError({ code: 'unexpected_answer', detail });
    },
  );
  const origins = joinOrigins(answers.map((answer) => answer.origins));
  const rules = { origins, trusted: [location.host] };
  const found = answers.flatMap(({ packages, some }) =>
    some.flatMap((one, at) => {
      const verdict = packages[at];
      return verdict ? [{ one, finding: holdToSources(toFinding(one, verdict), one, rules) }] : [];
    }),
  );
  const sources = checkSources(files, rules);
  const findings = [
    ...listOtherSources(sources),
    ...listUnpinned(files),
    ...found.map(({ finding }) => finding),
  ];
  return {
    findings: sortFindings(findings),
    contents: countContents(findings),
    sources,
    missing: found.flatMap(({ one, finding }) => (isSubmittable(finding) ? [one] : [])),
  };
};

/** The result of a submission: the number of submitted versions, and the refused ones with the reason. */
export interface Submitted {
  readonly count: number;
  readonly refused: readonly { readonly title: string; readonly why: string }[];
}

type Results = Awaited<ReturnType<RegistryClient['submitPackages']>>['results'];

/** Returns true if the version is in the registry. Somebody else may have submitted it first. */
const isSubmitted = (result: Results[number] | undefined): boolean =>
  result !== undefined && (!('problem' in result) || result.problem.code === 'package_exists');

const toSubmission = ({ dependency }: UsedVersion, justification: string) => {
  const { ecosystem, name, version, license } = dependency;
  return {
    ...{ ecosystem, name, version },
    ...(license !== undefined && { license }),
    ...(justification !== '' && { justification }),
  };
};

/** Returns a version without its license, which the registry may have refused. */
const withoutLicense = (one: UsedVersion): UsedVersion => ({
  ...one,
  dependency: { ...one.dependency, license: undefined },
});

const submitBatch = async (
  api: RegistryClient,
  batch: readonly UsedVersion[],
  justification: string,
): Promise<Submitted> => {
  const packages = batch.map((one) => toSubmission(one, justification));
  const { results } = await api.submitPackages(
    { body: { packages } },
    { idempotencyKey: makeIdempotencyKey() },
  );
  const failed = batch.flatMap((one, at) => {
    const result = results[at];
    return isSubmitted(result) ? [] : [{ one, result }];
  });
  const mayBeLicense = failed.filter(
    ({ one, result }) => result?.status === 400 && one.dependency.license !== undefined,
  );
  const again = mayBeLicense.map(({ one }) => withoutLicense(one));
  const tried = again.length > 0 ? await submitBatch(api, again, justification) : undefined;
  const refused = failed
    .filter((one) => !mayBeLicense.includes(one))
    .map(({ one: { dependency }, result }) => ({
      title: formatPackage(dependency),
      why:
        result && 'problem' in result
          ? result.problem.detail
          : 'The registry gave no result for this version.',
    }));
  return {
    count: batch.length - failed.length + (tried?.count ?? 0),
    refused: [...refused, ...(tried?.refused ?? [])],
  };
};

/**
 * Submits versions for review, 100 in a request.
 * @throws {RequestError} if the registry refuses a request, or cannot be reached
 */
export const submitAll = async (
  api: RegistryClient,
  versions: readonly UsedVersion[],
  justification: string,
): Promise<Submitted> => {
  const refused: Submitted['refused'][number][] = [];
  let count = 0;
  for (const batch of splitInto(maxSubmissions, versions)) {
    const done = await submitBatch(api, batch, justification);
    count += done.count;
    refused.push(...done.refused);
  }
  return { count, refused };
};
