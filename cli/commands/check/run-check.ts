import { RequestError } from '../../../shared/api/client/client.ts';
import {
  isSubmittable,
  listUnpinned,
  listUsedVersions,
  sortFindings,
} from '../../../shared/use-cases/dependency-check/findings.ts';
import {
  checkSources,
  holdToSources,
  listOtherSources,
} from '../../../shared/use-cases/dependency-check/sources.ts';
import { NegativeResultError } from '../../failure/negative-result-error.ts';
import { UnansweredError } from '../../failure/unanswered-error.ts';
import { UsageError } from '../../input/usage-error.ts';
import { formatCount, toOneLine } from '../../output/text.ts';
import type { Session } from '../../session/session.ts';
import { type Asked, askRegistry } from './ask.ts';
import { readBaseline } from './baseline.ts';
import type { CheckFlags } from './options.ts';
import { readProject } from './read-project.ts';
import { type CheckReport, makeReport } from './report.ts';
import { nothingSubmitted, type SubmissionReport, submitUnknown } from './submit-unknown.ts';
import {
  adviseToSubmit,
  explainClosure,
  listAllowedSources,
  listFileNotes,
  listRemarks,
  summarize,
} from './summary.ts';
import { keepFromCommanding, openOutputs, writeReports } from './write-reports.ts';

/** What is known, and what went wrong on the way there, if anything did. */
interface Outcome extends Asked {
  readonly submission?: SubmissionReport;
  readonly fault?: unknown;
}

const chooseAllowed = ({ allow = [] }: CheckFlags) =>
  allow.filter((one) => one === 'pending' || one === 'unknown');

/** Submits what nobody did, and asks again for that, however far the submitting came. */
const submitAndAsk = async (
  asked: Asked,
  flags: CheckFlags,
  session: Session,
): Promise<Outcome> => {
  const { found } = asked;
  const unknown = [...found].filter(([, finding]) => isSubmittable(finding)).map(([used]) => used);
  if (unknown.length === 0) return { ...asked, submission: nothingSubmitted };
  const submitted = await submitUnknown(unknown, flags.because, session);
  const [again] = await Promise.allSettled([askRegistry(unknown, chooseAllowed(flags), session)]);
  if (again.status === 'fulfilled') {
    return { ...asked, found: new Map([...found, ...again.value.found]), ...submitted };
  }
  return { ...asked, fault: again.reason, ...submitted };
};

/** The hosts that packages may come from besides the origins: that of the registry, and those that were named. */
const listTrusted = ({ registryHost = [] }: CheckFlags, { settings }: Session): string[] => [
  new URL(settings.url.value).host,
  ...registryHost,
];

/** Checks whether what a project uses may be used. What went wrong once that was known stands beside it. */
const findWhatIsKnown = async (
  paths: readonly string[],
  flags: CheckFlags,
  session: Session,
  admit?: (path: string) => unknown,
): Promise<{ readonly report: CheckReport; readonly fault?: unknown }> => {
  const mark = flags.baseline === undefined ? undefined : await readBaseline(flags.baseline);
  const project = await readProject(paths, { format: flags.format, ...(admit && { admit }) });
  const used = listUsedVersions(project.files);
  const asked = await askRegistry(used, chooseAllowed(flags), session);
  const { found, origins, submission, ...rest }: Outcome = flags.submit
    ? await submitAndAsk(asked, flags, session)
    : asked;
  const rules = { origins, trusted: listTrusted(flags, session) };
  const sources = checkSources(project.files, rules);
  const held = [...found].map(([one, finding]) => holdToSources(finding, one, rules));
  const isPassed = flags.allow?.includes('unpinned') ?? false;
  const unpinned = listUnpinned(project.files).map((finding) => ({
    ...finding,
    allowed: isPassed && finding.status === 'unpinned',
  }));
  const findings = sortFindings([...listOtherSources(sources), ...unpinned, ...held]);
  const marked = mark ? findings.map(mark) : findings;
  const report = makeReport({ ...project, sources }, marked, flags);
  return { report: { ...report, submission: submission ?? null }, ...rest };
};

/**
 * Checks whether what a project uses may be used.
 * @param admit throws a UsageError for what was found and may not be read
 * @throws {UsageError} if there is nothing to check
 * @throws {RequestError} if the registry cannot say
 */
export const findAll = async (
  paths: readonly string[],
  session: Session,
  admit: (path: string) => unknown,
): Promise<CheckReport> => (await findWhatIsKnown(paths, {}, session, admit)).report;

const checkFlags = ({ because, submit }: CheckFlags): void => {
  if (because !== undefined && !submit) throw new UsageError('--because needs --submit.');
};

/** Whoever asks and gets no answer knows nothing, whatever the registry has against the question. */
const toUnanswered = (error: unknown): unknown =>
  error instanceof RequestError ? new UnansweredError(error) : error;

const tell = (report: CheckReport, flags: CheckFlags, session: Session): void => {
  const { format, terminal } = session;
  const summary = summarize(report);
  if (format === 'people') {
    for (const { file, message } of report.not_checked) {
      terminal.warn(toOneLine(`${file}: ${message}`));
    }
    for (const source of listAllowedSources(report)) terminal.err.write(`${source}\n`);
    for (const note of listFileNotes(report)) terminal.err.write(`${note}\n`);
    for (const remark of listRemarks(report)) terminal.err.write(`${remark}\n`);
  }
  if (!report.allowed) {
    const advice = flags.submit ? '' : adviseToSubmit(report);
    throw new NegativeResultError(
      [explainClosure(report), summary, advice].filter(Boolean).join(' '),
    );
  }
  const refused = report.submission?.refused ?? 0;
  if (refused > 0) {
    throw new NegativeResultError(
      `${summary} But the registry refused ${formatCount(refused)} of the submissions.`,
    );
  }
  if (format === 'people') terminal.err.write(`${summary}\n`);
};

/**
 * Checks whether what a project uses may be used, and reports it in the ways that were asked for.
 * @throws {NegativeResultError} if something may not
 * @throws {UsageError} if there is nothing to check
 * @throws {UnansweredError} if the registry cannot say
 */
export const runCheck = async (
  paths: readonly string[],
  flags: CheckFlags,
  opened: Session,
  surroundings: { readonly isGithub: boolean },
): Promise<void> => {
  const session = surroundings.isGithub ? keepFromCommanding(flags, opened) : opened;
  checkFlags(flags);
  openOutputs(flags, session);
  try {
    const { report, fault } = await findWhatIsKnown(paths, flags, session);
    writeReports(report, flags, session, surroundings);
    if (fault !== undefined) throw fault;
    tell(report, flags, session);
  } catch (error) {
    throw toUnanswered(error);
  }
};
