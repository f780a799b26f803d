import { routes } from '../../../shared/api/routes.ts';
import { Submission } from '../../../shared/api/schemas/submission.ts';
import type { UsedVersion } from '../../../shared/use-cases/dependency-check/findings.ts';
import { cutIntoBatches } from '../../many/batches.ts';
import { isFault, type Outcome, throwFault, toRow } from '../../many/outcomes.ts';
import { type SendItems, sendBatches } from '../../many/send-many.ts';
import { toOneLine } from '../../output/text.ts';
import type { Session } from '../../session/session.ts';

/** What a submission says of a version that a project uses. A license that the registry would refuse is left to the reviewer. */
const toSubmission = ({ dependency }: UsedVersion, justification: string | undefined) => {
  const { ecosystem, name, version, license } = dependency;
  const isSaid = Submission.in.shape.license.safeParse(license).success;
  return {
    ...{ ecosystem, name, version },
    ...(license !== undefined && isSaid && { license }),
    ...(justification !== undefined && { justification }),
  };
};

/** Somebody else submitted it meanwhile: that will do. */
const isThere = ({ result }: Outcome): boolean =>
  !('problem' in result) || result.problem.code === 'package_exists';

const describeFailure = ({ item, result }: Outcome): string => {
  const why = 'problem' in result ? result.problem.detail : '';
  return toOneLine(`${item['name']} ${item['version']} was not submitted: ${why}`);
};

/** A version that was not submitted, and why. */
interface NotSubmitted {
  readonly ecosystem: unknown;
  readonly name: unknown;
  readonly version: unknown;
  /** Refused for what it is; failed for a fault of the registry, so that it may be tried again. */
  readonly outcome: 'refused' | 'failed';
  readonly code: string;
  readonly message: string;
}

/** What became of the versions that were to be submitted. */
export interface SubmissionReport {
  readonly submitted: number;
  /** Somebody else submitted them meanwhile. */
  readonly known: number;
  readonly refused: number;
  /** Also those that were never sent, as the registry could not be reached any more. */
  readonly failed: number;
  readonly not_submitted: readonly NotSubmitted[];
}

/** Where there was nothing to submit. */
export const nothingSubmitted: SubmissionReport = {
  ...{ submitted: 0, known: 0, refused: 0, failed: 0 },
  not_submitted: [],
};

const toNotSubmitted = (outcome: Outcome): NotSubmitted[] => {
  const { result } = outcome;
  if (!('problem' in result)) return [];
  const { ecosystem, name, version } = toRow(outcome);
  const { code, detail: message } = result.problem;
  return [
    { ecosystem, name, version, outcome: isFault(outcome) ? 'failed' : 'refused', code, message },
  ];
};

const makeSubmissionReport = (outcomes: readonly Outcome[], total: number): SubmissionReport => {
  const submitted = outcomes.filter(({ result }) => !('problem' in result)).length;
  const left = outcomes.filter((outcome) => !isThere(outcome));
  const refused = left.filter((outcome) => !isFault(outcome)).length;
  return {
    submitted,
    known: outcomes.length - left.length - submitted,
    refused,
    failed: left.length - refused + total - outcomes.length,
    not_submitted: left.flatMap(toNotSubmitted),
  };
};

/**
 * Submits versions for review, and warns of each that was refused or failed. The same again does nothing twice.
 * @returns also what went wrong, if the registry failed or could not be reached
 */
export const submitUnknown = async (
  used: readonly UsedVersion[],
  justification: string | undefined,
  session: Session,
): Promise<{ readonly submission: SubmissionReport; readonly fault?: unknown }> => {
  const { client, terminal } = session;
  const items = used.map((one) => toSubmission(one, justification));
  const send: SendItems = async (some, options) =>
    (await client.submitPackages({ body: { packages: [...some] as typeof items } }, options))
      .results;
  const outcomes: Outcome[] = [];
  const batches = cutIntoBatches(items, routes.submitPackages.path, undefined);
  try {
    for await (const some of sendBatches(batches, send, session, 'submitted for review')) {
      outcomes.push(...some);
      for (const one of some) if (!isThere(one)) terminal.warn(describeFailure(one));
    }
    throwFault(outcomes);
    return { submission: makeSubmissionReport(outcomes, items.length) };
  } catch (fault) {
    return { submission: makeSubmissionReport(outcomes, items.length), fault };
  }
};
