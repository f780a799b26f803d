import type { RegistryClient } from '../../../shared/api/client/operations.ts';
import { RequestError } from '../../../shared/api/client/request-error.ts';
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

/** As many as a request may submit. */
const mostSubmitted = 100;
const lanes = 4;

/** All that some files use, the worst first. */
export interface Checked {
  readonly findings: readonly Finding[];
  /** Of how many versions the content was compared. */
  readonly contents: ContentCounts;
  /** Each index that the files name. */
  readonly sources: readonly CheckedSource[];
  /** What nobody submitted, and can be. */
  readonly unknown: readonly UsedVersion[];
}

/**
 * Asks the registry where each version stands that the files pin.
 * @throws {RequestError} if it cannot be asked, or does not answer for each
 */
export const checkFiles = async (
  api: RegistryClient,
  files: readonly ProjectFile[],
  signal: AbortSignal,
): Promise<Checked> => {
  const used = listUsedVersions(files);
  const answers = await runInParallel([...cutIntoQuestions(used)], lanes, async (some) => {
    const packages = some.map(toQuestion);
    const answer = await api.checkPackages({ body: { packages } }, { signal });
    if (answer.packages.length === some.length) return { ...answer, some };
    const detail = 'The registry did not answer for every version. Nobody knows which may be used.';
    throw new RequestError({ code: 'unexpected_answer', detail });
  });
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
    unknown: found.flatMap(({ one, finding }) => (isSubmittable(finding) ? [one] : [])),
  };
};

/** What became of submitting: how many wait now, and what was refused with the registry's own sentence. */
export interface Submitted {
  readonly count: number;
  readonly refused: readonly { readonly title: string; readonly why: string }[];
}

type Results = Awaited<ReturnType<RegistryClient['submitPackages']>>['results'];

/** Whether it waits for a decision now: somebody else may have submitted it meanwhile. */
const isThere = (result: Results[number] | undefined): boolean =>
  result !== undefined && (!('problem' in result) || result.problem.code === 'package_exists');

const toSubmission = ({ dependency }: UsedVersion, justification: string) => {
  const { ecosystem, name, version, license } = dependency;
  return {
    ...{ ecosystem, name, version },
    ...(license !== undefined && { license }),
    ...(justification !== '' && { justification }),
  };
};

/** A license that the registry does not take is left to the reviewer. */
const dropLicense = (one: UsedVersion): UsedVersion => ({
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
    return isThere(result) ? [] : [{ one, result }];
  });
  const mayBeLicense = failed.filter(
    ({ one, result }) => result?.status === 400 && one.dependency.license !== undefined,
  );
  const again = mayBeLicense.map(({ one }) => dropLicense(one));
  const tried = again.length > 0 ? await submitBatch(api, again, justification) : undefined;
  const refused = failed
    .filter((one) => !mayBeLicense.includes(one))
    .map(({ one: { dependency }, result }) => ({
      title: `${dependency.name} ${dependency.version}`,
      why: result && 'problem' in result ? result.problem.detail : 'Nothing was said of it.',
    }));
  return {
    count: batch.length - failed.length + (tried?.count ?? 0),
    refused: [...refused, ...(tried?.refused ?? [])],
  };
};

/**
 * Submits versions for review, 100 at a time.
 * @throws {RequestError} where the registry refuses all of it, or cannot be reached
 */
export const submitAll = async (
  api: RegistryClient,
  versions: readonly UsedVersion[],
  justification: string,
): Promise<Submitted> => {
  const refused: Submitted['refused'][number][] = [];
  let count = 0;
  for (const batch of splitInto(mostSubmitted, versions)) {
    const done = await submitBatch(api, batch, justification);
    count += done.count;
    refused.push(...done.refused);
  }
  return { count, refused };
};
