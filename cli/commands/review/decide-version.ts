import { RequestError } from '../../../shared/api/client/client.ts';
import type { VersionEvidence } from '../../../shared/api/schemas/evidence.ts';
import type { PackageListItem } from '../../../shared/api/schemas/package.ts';
import { formatPackage } from '../../../shared/domain/packages/format-package.ts';
import { listBlockingCodes } from '../../../shared/domain/review/approval.ts';
import { exitCodes, toExitCode } from '../../failure/exit-code.ts';
import { formatReasons } from '../../failure/request-failure.ts';
import { toOneLine } from '../../output/text.ts';
import { askReason, askVerdict, askYesOrNo } from './questions.ts';
import { type Move, type ReviewSession, type Step, untilInterrupted } from './review-session.ts';
import { describeOutcome, sendDecision, type Verdict } from './send-decision.ts';

/** Returns whether an error is about this version alone. A wrong token or a fault would also stop the next version. */
const isAboutThisVersion = (error: unknown): error is RequestError =>
  error instanceof RequestError &&
  toExitCode(error) === exitCodes.refused &&
  // The submitter may decide on other versions.
  (error.code === 'four_eyes' || (error.status !== 401 && error.status !== 403));

/** The outcome of a version, or that its evidence has changed since the reviewer saw it. */
type Outcome = Step | 'changed' | 'quit';

/** Shows the blocking issues, and overrides them if the reviewer agrees and gives a reason. No override lifts malware. */
const overrideRefusal = async (
  review: ReviewSession,
  evidence: VersionEvidence,
  refusal: RequestError,
): Promise<Outcome> => {
  review.session.terminal.out.write(`${formatReasons(refusal).join('\n')}\n`);
  if (evidence.issues.some(({ code }) => code === 'malware')) return 'skipped';
  const answer = await askYesOrNo(review, 'Approve anyway?');
  if (answer !== 'yes') return answer === 'quit' ? 'quit' : 'skipped';
  const why = await askReason(review, 'approve');
  if (why === 'quit') return 'quit';
  if (!why) return 'skipped';
  const override = listBlockingCodes(evidence.issues);
  return carryOut(review, evidence, { to: 'approved', override, ...why });
};

/** Reports, after Ctrl-C during the request, that the outcome is unknown. */
const reportUnknown = (
  { session, prompt }: ReviewSession,
  item: PackageListItem,
  to: Verdict['to'],
): void => {
  if (!prompt.interrupted.aborted) return;
  const title = formatPackage(item);
  const text = `It is unknown whether ${title} is ${to}: run registry show ${title}.`;
  session.terminal.out.write(`\n${toOneLine(text)}\n`);
};

const carryOut = async (
  review: ReviewSession,
  evidence: VersionEvidence,
  verdict: Omit<Verdict, 'by'>,
): Promise<Outcome> => {
  const { client, terminal } = review.session;
  const { out } = terminal;
  const { package: item, evidence_version: evidenceVersion } = evidence;
  try {
    const sent = { ...verdict, evidenceVersion, by: review.by };
    const outcome = await sendDecision(client, item, sent, untilInterrupted(review));
    out.write(`${describeOutcome(outcome)}\n`);
    return outcome.kind === 'overtaken' ? 'overtaken' : verdict.to;
  } catch (error) {
    reportUnknown(review, item, verdict.to);
    if (!isAboutThisVersion(error)) throw error;
    if (error.code === 'approval_blocked') return overrideRefusal(review, evidence, error);
    if (error.code === 'evidence_changed') {
      const changed = `${formatPackage(item)} was not approved: its evidence has changed. Decide again.`;
      out.write(`${out.style('yellow', toOneLine(changed))}\n`);
      return 'changed';
    }
    out.write(`${out.style('red', toOneLine(error.detail))}\n`);
    return 'skipped';
  }
};

/**
 * Asks the reviewer for a decision on the evidence of a version, and sends it.
 * @throws {RequestError} for a wrong token or a fault, which would also stop the next version
 */
export const decideVersion = async (
  review: ReviewSession,
  evidence: VersionEvidence,
  isFirst: boolean,
): Promise<Move | 'changed'> => {
  const verdict = await askVerdict(review, isFirst);
  return typeof verdict === 'string' ? verdict : carryOut(review, evidence, verdict);
};
