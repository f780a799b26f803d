import { RequestError } from '../../../shared/api/client/client.ts';
import type { VersionEvidence } from '../../../shared/api/schemas/evidence.ts';
import type { PackageListItem } from '../../../shared/api/schemas/package.ts';
import { exitCodes, toExitCode } from '../../failure/exit-code.ts';
import { formatReasons } from '../../failure/request-failure.ts';
import { toOneLine } from '../../output/text.ts';
import { askReason, askVerdict, askYesOrNo } from './ask.ts';
import { decide, describeOutcome, type Verdict } from './decide.ts';
import { type Desk, type Move, type Step, untilInterrupted } from './desk.ts';

/** A refusal of this one version ends nothing; a wrong token or a fault would meet the next one too. */
const isAboutThisVersion = (error: unknown): error is RequestError =>
  error instanceof RequestError &&
  toExitCode(error) === exitCodes.refused &&
  // Whoever submitted this one may decide on others.
  (error.code === 'four_eyes' || (error.status !== 401 && error.status !== 403));

/** What became of a decision, or that the evidence is not any more what the reviewer was shown. */
type Settled = Step | 'changed' | 'quit';

/** Shows the blocking issues, and approves in spite of those in the evidence if the reviewer says yes and why. */
const overrideRefusal = async (
  desk: Desk,
  evidence: VersionEvidence,
  refusal: RequestError,
): Promise<Settled> => {
  desk.session.terminal.out.write(`${formatReasons(refusal).join('\n')}\n`);
  const answer = await askYesOrNo(desk, 'Approve anyway?');
  if (answer !== 'yes') return answer === 'quit' ? 'quit' : 'skipped';
  const why = await askReason(desk, 'approve');
  if (why === 'quit') return 'quit';
  if (!why) return 'skipped';
  const override = evidence.objections.filter(({ blocks }) => blocks).map(({ code }) => code);
  return carryOut(desk, evidence, { to: 'approved', override, ...why });
};

/** Whoever leaves while a decision is on its way cannot know whether it arrives. */
const tellUnknown = ({ session, prompt }: Desk, item: PackageListItem, to: Verdict['to']): void => {
  if (!prompt.interrupted.aborted) return;
  const { name, version, ecosystem } = item;
  const told = `Whether ${name} ${version} is ${to} is not known: registry show ${name} --ecosystem ${ecosystem} --version ${version} tells.`;
  session.terminal.out.write(`\n${toOneLine(told)}\n`);
};

const carryOut = async (
  desk: Desk,
  evidence: VersionEvidence,
  verdict: Omit<Verdict, 'by'>,
): Promise<Settled> => {
  const { client, terminal } = desk.session;
  const { out } = terminal;
  const { package: item, evidence_version: evidenceVersion } = evidence;
  try {
    const sent = { ...verdict, evidenceVersion, by: desk.by };
    const outcome = await decide(client, item, sent, untilInterrupted(desk));
    out.write(`${describeOutcome(outcome)}\n`);
    return outcome.kind === 'overtaken' ? 'overtaken' : verdict.to;
  } catch (error) {
    tellUnknown(desk, item, verdict.to);
    if (!isAboutThisVersion(error)) throw error;
    if (error.code === 'approval_blocked') return overrideRefusal(desk, evidence, error);
    if (error.code === 'evidence_changed') {
      const changed = `${item.name} ${item.version} was not approved: its evidence has changed. Decide again.`;
      out.write(`${out.style('yellow', toOneLine(changed))}\n`);
      return 'changed';
    }
    out.write(`${out.style('red', toOneLine(error.detail))}\n`);
    return 'skipped';
  }
};

/**
 * Asks the reviewer what shall become of a version, by the evidence that they were shown, and carries it out.
 * @throws {RequestError} for what would meet the next version too: a wrong token, or a fault
 */
export const settle = async (
  desk: Desk,
  evidence: VersionEvidence,
  isFirst: boolean,
): Promise<Move | 'changed'> => {
  const verdict = await askVerdict(desk, isFirst);
  return typeof verdict === 'string' ? verdict : carryOut(desk, evidence, verdict);
};
