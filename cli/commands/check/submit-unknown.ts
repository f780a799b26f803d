import * as routes from '../../../shared/api/routes.ts';
import { Submission } from '../../../shared/api/schemas/submission.ts';
import { toBatchPath } from '../../../shared/domain/packages/console-path.ts';
import {
  formatPackage,
  type ShownPackage,
} from '../../../shared/domain/packages/format-package.ts';
import type { UsedVersion } from '../../../shared/use-cases/dependency-check/findings.ts';
import { withInterruption } from '../../input/interruption.ts';
import { cutIntoBatches } from '../../many/batches.ts';
import { isFault, type Outcome, throwFault, toRow } from '../../many/outcomes.ts';
import { type SendItems, sendBatches } from '../../many/send-many.ts';
import { toOneLine } from '../../output/text.ts';
import type { Session } from '../../session/session.ts';

/** Requests at once. Each has its own function, and its own transactions. */
const parallelRequests = 3;

/** What submissions have in common. */
interface SubmissionOptions {
  /** The justification. */
  readonly reason: string | undefined;
  readonly batch: string;
}

/** Returns the submission of a version. It leaves out a license that the registry would refuse. */
const toSubmission = (
  { dependency }: UsedVersion,
  { reason: justification, batch }: SubmissionOptions,
) => {
  const { ecosystem, name, version, license } = dependency;
  const isSaid = Submission.in.shape.license.safeParse(license).success;
  return {
    ...{ ecosystem, name, version },
    ...(license !== undefined && isSaid && { license }),
    ...(justification !== undefined && { justification }),
    batch,
  };
};

/** Returns whether a version is in the registry now: submitted here, or by someone else in the meantime. */
const isInRegistry = ({ result }: Outcome): boolean =>
  !('problem' in result) || result.problem.code === 'package_exists';

const describeFailure = ({ item, result }: Outcome): string => {
  const why = 'problem' in result ? result.problem.detail : '';
  return toOneLine(`${formatPackage(item)} was not submitted: ${why}`);
};

/** A version that was not submitted, and the reason. */
interface NotSubmitted {
  readonly ecosystem: unknown;
  readonly name: unknown;
  readonly version: unknown;
  /** Refused by the registry, or failed by a fault, after which a retry may succeed. */
  readonly outcome: 'refused' | 'failed';
  readonly code: string;
  readonly message: string;
}

/** The outcome of the submissions. */
export interface SubmissionReport {
  /** The name of their batch; null if there was nothing to submit. */
  readonly batch: string | null;
  /** The page of the console with the versions of the batch; null without one. */
  readonly review_url: string | null;
  readonly submitted: number;
  readonly submitted_packages: readonly ShownPackage[];
  /** Were in the registry before, also by an earlier run. Pending ones are in the batch now, too. */
  readonly known: number;
  readonly refused: number;
  /** Includes versions that were not sent after the registry became unreachable. */
  readonly failed: number;
  readonly not_submitted: readonly NotSubmitted[];
}

/** The outcome if there was nothing to submit. */
export const nothingSubmitted: SubmissionReport = {
  ...{ batch: null, review_url: null },
  ...{ submitted: 0, submitted_packages: [], known: 0, refused: 0, failed: 0 },
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

const makeSubmissionReport = (
  outcomes: readonly Outcome[],
  { total, batch, url }: { readonly total: number; readonly batch: string; readonly url: string },
): SubmissionReport => {
  // A replay is the answer to an earlier run of the same command.
  const done = outcomes.filter(({ result, origin }) => origin === 'new' && !('problem' in result));
  const submitted = done.length;
  const left = outcomes.filter((outcome) => !isInRegistry(outcome));
  const refused = left.filter((outcome) => !isFault(outcome)).length;
  return {
    batch,
    review_url: `${url.replace(/\/$/, '')}${toBatchPath(batch)}`,
    submitted,
    submitted_packages: done.map(({ item: { ecosystem, name, version } }) => ({
      ...({ ecosystem, name, version } as ShownPackage),
    })),
    known: outcomes.length - left.length - submitted,
    refused,
    failed: left.length - refused + total - outcomes.length,
    not_submitted: left.flatMap(toNotSubmitted),
  };
};

/**
 * Submits versions for review, and warns of each that was refused or failed. Repeating it submits nothing twice.
 * @returns the outcome, and the fault if the registry failed or could not be reached
 */
export const submitUnknown = async (
  used: readonly UsedVersion[],
  options: SubmissionOptions,
  session: Session,
): Promise<{ readonly submission: SubmissionReport; readonly fault?: unknown }> => {
  const { client, terminal } = session;
  const items = used.map((one) => toSubmission(one, options));
  const send: SendItems = async (some, options) =>
    (await client.submitPackages({ body: { packages: [...some] as typeof items } }, options))
      .results;
  const outcomes: Outcome[] = [];
  const sent = { total: items.length, batch: options.batch, url: session.settings.url.value };
  const batches = cutIntoBatches(items, routes.submitPackages.path, undefined);
  try {
    await withInterruption(async (signal) => {
      const sending = { done: 'submitted for review', signal, width: parallelRequests };
      for await (const some of sendBatches(batches, send, session, sending)) {
        outcomes.push(...some);
        for (const one of some) if (!isInRegistry(one)) terminal.warn(describeFailure(one));
      }
    });
    throwFault(outcomes);
    return { submission: makeSubmissionReport(outcomes, sent) };
  } catch (fault) {
    return { submission: makeSubmissionReport(outcomes, sent), fault };
  }
};
