import {
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
import { UsageError } from '../../input/usage-error.ts';
import { formatCount, toOneLine } from '../../output/text.ts';
import type { Environment } from '../../session/environment.ts';
import type { Session } from '../../session/session.ts';
import { readBaseline } from './baseline.ts';
import { type Fixes, fixFiles } from './fix/fix-files.ts';
import { type CheckArguments, splitArguments } from './named-versions.ts';
import type { CheckFlags } from './options.ts';
import { formatFailure } from './outputs/annotations.ts';
import { type Project, readProject } from './read-project.ts';
import { completeRecordFlags, type RecordFlags, recordProject } from './record-project.ts';
import { type CheckReport, makeReport } from './report.ts';
import { checkAll, type Outcome, submitAndWait } from './submit-and-wait.ts';
import {
  adviseToSubmit,
  explainClosure,
  listAllowedSources,
  listFileNotes,
  listRemarks,
  summarize,
} from './summary.ts';
import { listFixes, listTagWarnings } from './tag-warnings.ts';
import { escapeOutput, openOutputs, writeReports } from './write-reports.ts';

/** Lists the hosts that packages may come from besides the origins: the registry, and hosts that flags name. */
const listTrusted = ({ registryHost = [] }: CheckFlags, { settings }: Session): string[] => [
  new URL(settings.url.value).host,
  ...registryHost,
];

const noProject: Project = { files: [], notChecked: [] };

/** The report of a check, the project with its versions, and a fault after the check. */
interface CheckOutcome {
  readonly report: CheckReport;
  readonly project: Project;
  /** The versions that the files use, with the registry's findings. */
  readonly found: Outcome['found'];
  readonly fault?: unknown;
}

/** Checks a project and named versions. A fault after the check, such as in submissions, comes with the report. */
const checkProject = async (
  { paths, versions }: CheckArguments,
  flags: CheckFlags,
  session: Session,
  admit?: (path: string) => unknown,
): Promise<CheckOutcome> => {
  const mark = flags.baseline === undefined ? undefined : await readBaseline(flags.baseline);
  const project =
    versions.length > 0 && paths.length === 0
      ? noProject
      : await readProject(paths, { format: flags.format, ...(admit && { admit }) });
  const used = [...versions, ...listUsedVersions(project.files)];
  const answer = await checkAll(used, flags, session);
  const { found, origins, submission, ...rest }: Outcome = flags.submit
    ? await submitAndWait(answer, flags, session)
    : answer;
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
  return {
    ...{ report: { ...report, submission: submission ?? null }, project, found },
    ...rest,
  };
};

/** Writes the digests of approvals into the files of a project, and checks the new files. */
const fixProject = async (
  checked: CheckArguments,
  { submit: _, ...flags }: CheckFlags,
  session: Session,
): Promise<Fixes> => {
  const { report, project } = await checkProject(checked, flags, session);
  return fixFiles(project, report.packages);
};

const runOnce = async (
  checked: CheckArguments,
  flags: CheckFlags,
  session: Session,
): Promise<CheckOutcome> => {
  const fixes = flags.fix ? await fixProject(checked, flags, session) : {};
  const outcome = await checkProject(checked, flags, session);
  return { ...outcome, report: { ...outcome.report, ...fixes } };
};

/** Records the project with `--record`, also after a failed check. A failure is the fault of the outcome, unless the check failed. */
const recordChecked = async (
  outcome: CheckOutcome,
  flags: RecordFlags,
  session: Session,
): Promise<CheckOutcome> => {
  if (flags.record === undefined) return outcome;
  const { report, project, found } = outcome;
  try {
    const recording = await recordProject(project, found, flags, session);
    return { ...outcome, report: { ...report, recording } };
  } catch (fault) {
    const why = fault instanceof Error ? fault.message : String(fault);
    const message = toOneLine(`${flags.record} was not recorded: ${why}`);
    if (report.allowed && outcome.fault === undefined) {
      return { ...outcome, fault: fault instanceof UsageError ? new UsageError(message) : fault };
    }
    session.terminal.warn(message);
    return outcome;
  }
};

/**
 * Checks whether the packages of a project may be used.
 * @param admit throws a UsageError for a path that may not be read
 * @throws {UsageError} if there is nothing to check
 * @throws {RequestError} if the registry cannot answer
 */
export const checkPaths = async (
  paths: readonly string[],
  session: Session,
  admit: (path: string) => unknown,
): Promise<CheckReport> => (await checkProject({ paths, versions: [] }, {}, session, admit)).report;

/** @throws {UsageError} for a flag that goes only with `--submit` */
const checkFlags = ({ submit, setup, ...flags }: CheckFlags): void => {
  if (flags.record !== undefined && setup) {
    throw new UsageError('Give only one of --record and --setup.');
  }
  if (flags.yes && !setup) throw new UsageError('--yes needs --setup.');
  if (submit && setup) throw new UsageError('Give only one of --submit and --setup.');
  if (flags.fix && setup) throw new UsageError('Give only one of --fix and --setup.');
  const alone = (['reason', 'batch', 'wait'] as const).find((name) => flags[name] !== undefined);
  if (alone && !submit) throw new UsageError(`--${alone} needs --submit.`);
};

/** @throws {UsageError} if there are no files into which digests can be written */
const checkFixable = ({ paths, versions }: CheckArguments): void => {
  if (paths.includes('-')) {
    throw new UsageError('--fix writes files, and not standard input: name a file or a folder.');
  }
  if (paths.length === 0 && versions.length > 0) {
    throw new UsageError('--fix is for the files of a project, and not for named versions.');
  }
};

/** Annotates the job in GitHub Actions if the check has no result. */
const annotateFailure = (error: unknown, { terminal, format }: Session, isGithub: boolean) => {
  if (!isGithub || format !== 'people' || error instanceof NegativeResultError) return;
  const message = error instanceof Error ? error.message : String(error);
  terminal.err.write(`${formatFailure(message)}\n`);
};

const writeVerdict = (report: CheckReport, flags: CheckFlags, session: Session): void => {
  const { format, terminal } = session;
  const summary = summarize(report);
  if (format === 'people') {
    for (const { file, message } of report.not_checked) {
      terminal.warn(toOneLine(`${file}: ${message}`));
    }
    for (const source of listAllowedSources(report)) terminal.err.write(`${source}\n`);
    for (const note of listFileNotes(report)) terminal.err.write(`${note}\n`);
    for (const line of [...listFixes(report), ...listTagWarnings(report)]) {
      terminal.err.write(`${line}\n`);
    }
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
 * Checks whether the packages of a project, or named versions, may be used, and writes the reports that flags name.
 * @throws {NegativeResultError} if a package may not be used
 * @throws {UsageError} if there is nothing to check
 * @throws {UnansweredError} if the registry cannot answer
 */
export const runCheck = async (
  given: readonly string[],
  flags: CheckFlags,
  opened: Session,
  surroundings: Pick<Environment, 'isGithub' | 'commit' | 'ref'>,
): Promise<void> => {
  const session = surroundings.isGithub ? escapeOutput(flags, opened) : opened;
  const recorded = completeRecordFlags(flags, surroundings);
  checkFlags(flags);
  if (flags.setup) {
    const { runSetup } = await import('./setup/run-setup.ts');
    await runSetup(given, flags, session);
    return;
  }
  const checked = splitArguments(given, flags.ecosystem);
  if (flags.record !== undefined && checked.paths.length === 0 && checked.versions.length > 0) {
    throw new UsageError('--record is for the files of a project, and not for named versions.');
  }
  if (flags.fix) checkFixable(checked);
  openOutputs(flags, session);
  try {
    const outcome = await runOnce(checked, flags, session);
    const { report, fault } = await recordChecked(outcome, recorded, session);
    writeReports(report, flags, session, surroundings);
    if (fault === undefined) {
      writeVerdict(report, flags, session);
      return;
    }
    if (session.format === 'people') {
      for (const line of [...listRemarks(report), summarize(report)]) {
        session.terminal.err.write(`${line}\n`);
      }
    }
    throw fault;
  } catch (error) {
    annotateFailure(error, session, surroundings.isGithub);
    throw error;
  }
};
