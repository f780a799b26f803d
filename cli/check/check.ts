import { JudgedError } from '../failure/judged-error.ts';
import { UsageError } from '../input/usage-error.ts';
import type { Session } from '../session/session.ts';
import { askRegistry } from './ask.ts';
import { readBaseline } from './baseline.ts';
import {
  type Finding,
  listUnpinned,
  listUsedVersions,
  sortFindings,
  type UsedVersion,
} from './findings.ts';
import type { CheckFlags } from './options.ts';
import { readProject } from './read-project.ts';
import { type CheckReport, formatCount, makeReport, summarize } from './report.ts';
import { submitUnknown } from './submit-unknown.ts';
import { checkOutputs, writeReports } from './write-reports.ts';

/** Asks again for what was submitted just now. */
const submitAndAsk = async (
  used: readonly UsedVersion[],
  found: readonly Finding[],
  flags: CheckFlags,
  session: Session,
): Promise<readonly Finding[]> => {
  const isUnknown = (at: number): boolean => found[at]?.status === 'unknown';
  const unknown = used.filter((_, at) => isUnknown(at));
  if (unknown.length === 0) return found;
  await submitUnknown(unknown, flags.because, session);
  const again = (await askRegistry(unknown, chooseAllowed(flags), session)).values();
  return found.map((finding, at) => (isUnknown(at) ? (again.next().value ?? finding) : finding));
};

const chooseAllowed = ({ allow = [] }: CheckFlags) => allow.filter((one) => one !== 'unpinned');

/** Checks whether what a project uses may be used. */
export const findAll = async (
  paths: readonly string[],
  flags: CheckFlags,
  session: Session,
): Promise<CheckReport> => {
  const mark = flags.baseline === undefined ? undefined : await readBaseline(flags.baseline);
  const files = await readProject(paths);
  const used = listUsedVersions(files);
  const found = await askRegistry(used, chooseAllowed(flags), session);
  const checked = flags.submit ? await submitAndAsk(used, found, flags, session) : found;
  const isPassed = flags.allow?.includes('unpinned') ?? false;
  const unpinned = listUnpinned(files).map((finding) => ({
    ...finding,
    allowed: isPassed && finding.status === 'unpinned',
  }));
  const findings = sortFindings([...unpinned, ...checked]);
  return makeReport(files, mark ? findings.map(mark) : findings);
};

const advise = ({ counts }: CheckReport, { submit }: CheckFlags): string => {
  if (counts.unknown === 0 || submit) return '';
  const some = counts.unknown === 1 ? 'it' : `all ${formatCount(counts.unknown)}`;
  return ` To ask for ${some} that nobody submitted, add --submit.`;
};

/**
 * Checks whether what a project uses may be used, and reports it in the ways that were asked for.
 * @throws {JudgedError} if something may not
 * @throws {UsageError} if there is nothing to check
 * @throws {RequestError} if the registry cannot say
 */
export const check = async (
  paths: readonly string[],
  flags: CheckFlags,
  session: Session,
  surroundings: { readonly isGithub: boolean },
): Promise<void> => {
  checkOutputs(flags, session);
  if (flags.because !== undefined && !flags.submit)
    throw new UsageError('--because needs --submit.');
  const report = await findAll(paths, flags, session);
  writeReports(report, flags, session, surroundings);
  const summary = summarize(report);
  if (!report.allowed) throw new JudgedError(`${summary}${advise(report, flags)}`);
  session.terminal.err.write(`${summary}\n`);
};
