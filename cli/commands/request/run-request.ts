import { join } from 'node:path';
import { formatPackage } from '../../../shared/domain/packages/format-package.ts';
import { toVersionKey } from '../../../shared/domain/packages/package-id.ts';
import { type Cutoff, findCutoff } from '../../../shared/domain/policy/cutoff.ts';
import type { Ecosystem } from '../../../shared/ecosystems/ecosystem.ts';
import {
  explainFinding,
  type Finding,
  isSubmittable,
  listUnpinned,
  listUsedVersions,
  type ProjectFile,
  type UsedVersion,
} from '../../../shared/use-cases/dependency-check/findings.ts';
import type { JsonObject } from '../../../shared/util/json.ts';
import { NegativeResultError } from '../../failure/negative-result-error.ts';
import { askYes } from '../../input/ask-yes.ts';
import { withInterruption } from '../../input/interruption.ts';
import { UsageError } from '../../input/usage-error.ts';
import { writeResult, writeRows } from '../../output/result.ts';
import { formatCount, toOneLine } from '../../output/text.ts';
import type { Session } from '../../session/session.ts';
import { nameBatch } from '../check/batch-name.ts';
import { readProject } from '../check/read-project.ts';
import { makeReport } from '../check/report.ts';
import { checkAll, submitAndWait } from '../check/submit-and-wait.ts';
import { listRemarks, summarize } from '../check/summary.ts';
import { holdOwnNames } from './own-names.ts';
import { findLockfile, type Requested, type Resolver, readRequested } from './requested.ts';
import { resolveRequest } from './resolve.ts';
import { withFolder } from './with-folder.ts';

/** The flags of `registry request`. */
export interface RequestFlags {
  readonly reason?: string;
  readonly batch?: string;
  readonly wait?: number;
  readonly before?: Date;
  readonly index?: string;
  readonly dryRun?: boolean;
  readonly yes?: boolean;
}

const ecosystems: Readonly<Record<Resolver, Ecosystem>> = {
  npm: 'npm',
  uv: 'pypi',
  maven: 'maven',
};

/** What a request brings into a project. */
interface Brought {
  readonly used: readonly UsedVersion[];
  /** Entries without an exact version, such as a package from Git: never allowed. */
  readonly unpinned: readonly Finding[];
  readonly remark?: string | undefined;
}

const listFiles = async (paths: readonly string[]): Promise<readonly ProjectFile[]> =>
  (await readProject(paths)).files;

/** Returns the files that list what the project has already: its lockfile, if there is one. */
const listPresent = async (
  project: string,
  resolver: Resolver,
): Promise<readonly ProjectFile[]> => {
  const name = findLockfile(resolver, project);
  return name === undefined ? [] : listFiles([join(project, name)]);
};

/** Returns what some files have and the present files do not have. */
const selectNew = (files: readonly ProjectFile[], present: readonly ProjectFile[]): Brought => {
  const versions = new Set(
    listUsedVersions(present).map(({ dependency }) => toVersionKey(dependency)),
  );
  const texts = new Set(listUnpinned(present).map(({ name }) => name));
  return {
    used: listUsedVersions(files).filter(
      ({ dependency }) => !versions.has(toVersionKey(dependency)),
    ),
    unpinned: listUnpinned(files).filter(({ name }) => !texts.has(name)),
  };
};

const describeCutoff = (resolver: Resolver, { before, cutoff }: Limits): string => {
  if (!before) return '';
  const why = cutoff ? `, because the rule ${cutoff.rule} requires ${cutoff.days} days` : '';
  const day = before.toISOString().slice(0, 10);
  return resolver === 'maven'
    ? `Maven cannot leave out versions that are too young (after ${day}${why}).\n`
    : `Versions from before ${day}${why}.\n`;
};

/** The newest time of publication, by a flag or a rule. */
interface Limits {
  readonly before: Date | undefined;
  readonly cutoff: Cutoff | undefined;
}

const findLimits = async (
  resolver: Resolver,
  { before }: RequestFlags,
  { client }: Session,
): Promise<Limits> => {
  if (before) return { before, cutoff: undefined };
  const { rules } = await client.showPolicy();
  const cutoff = findCutoff(rules, ecosystems[resolver], new Date());
  return { before: cutoff?.before, cutoff };
};

/** Returns the lines of a tree: each version below the one that requires it. */
const formatTree = (found: ReadonlyMap<UsedVersion, Finding>): string => {
  const rows = [...found].map(([{ places }, finding]) => {
    const { ecosystem, name, version } = finding;
    const through = places[0]?.through ?? [];
    const reasons = finding.status === 'approved' ? '' : explainFinding(finding);
    const why = reasons === '' ? '' : `: ${reasons}`;
    const id = formatPackage({ ecosystem, name, version });
    return {
      // A line break sorts before all characters of names, so that each version comes before those that it requires.
      key: [...through, `${name}@${version}`].join('\n'),
      line: `${'  '.repeat(through.length)}${toOneLine(`${id}  ${finding.status}${why}`)}\n`,
    };
  });
  const sorted = rows.toSorted((one, other) => (one.key < other.key ? -1 : 1));
  return sorted.map(({ line }) => line).join('');
};

/** Returns a line for each entry without an exact version. */
const formatUnpinned = (unpinned: readonly Finding[]): string =>
  unpinned
    .map((one) => `${toOneLine(`${one.name}  ${one.status}: ${explainFinding(one)}`)}\n`)
    .join('');

const formatSpec = (resolver: Resolver, { name, range }: Requested): string => {
  if (range === undefined) return name;
  if (resolver === 'uv') return /^[<>=!~]/.test(range) ? `'${name}${range}'` : `${name}==${range}`;
  return resolver === 'npm' ? `${name}@${range}` : `${name}:${range}`;
};

const describeNext = (resolver: Resolver, requested: readonly Requested[]): string => {
  const specs = requested.map((one) => formatSpec(resolver, one)).join(' ');
  if (resolver === 'maven') return `Add ${specs} to the POM, and build through the gate.`;
  return `Install through the gate: ${resolver === 'npm' ? 'npm install' : 'uv add'} ${specs}`;
};

/** Asks at a terminal whether to submit the versions that the registry does not have. */
const maySubmit = async (
  found: ReadonlyMap<UsedVersion, Finding>,
  { yes = false }: RequestFlags,
  { terminal, format }: Session,
): Promise<boolean> => {
  const count = [...found.values()].filter(isSubmittable).length;
  const isAsked = format === 'people' && terminal.err.isTerminal && process.stdin.isTTY === true;
  if (count === 0 || yes || !isAsked) return true;
  const which = count === 1 ? 'the version that is' : `the ${formatCount(count)} versions that are`;
  return askYes(`Submit ${which} not in the registry? [y/N] `);
};

/** Returns the versions that are not allowed. An entry without an exact version has no ID that other commands take. */
const listMissing = (findings: readonly Finding[]): readonly JsonObject[] =>
  findings
    .filter(({ version, allowed }) => version !== null && !allowed)
    .map((finding) => ({ ...finding }));

const resolveNew = (
  { resolver, requested }: ReturnType<typeof readRequested>,
  limits: Limits,
  { flags, session, project }: { flags: RequestFlags; session: Session; project: string },
): Promise<Brought> =>
  withFolder(project, (folder) =>
    withInterruption(async (signal) => {
      session.progress.show(`${resolver} resolves the request`);
      try {
        const gate = session.settings.url.value.replace(/\/$/, '');
        const where = { project, folder, before: limits.before, index: flags.index, gate, signal };
        const { files, remark } = await resolveRequest[resolver](requested, where);
        const present = await listPresent(project, resolver);
        const brought = selectNew(
          await listFiles(files.map((file) => join(folder, file))),
          present,
        );
        return { ...brought, remark };
      } finally {
        session.progress.end();
      }
    }),
  );

/**
 * Resolves packages, and submits all versions that they bring as one batch. Shows their tree with the status of each
 * version, and waits for the rules. The project stays as it is.
 * @throws {UsageError} for text that names no package, or a package manager that is not installed
 * @throws {NegativeResultError} if not all versions are approved
 */
export const runRequest = async (
  texts: readonly string[],
  flags: RequestFlags,
  session: Session,
): Promise<void> => {
  const project = '.';
  const { terminal, format } = session;
  const request = readRequested(texts, project);
  const { resolver, requested } = request;
  const limits = await findLimits(resolver, flags, session);
  if (format === 'people') terminal.err.write(describeCutoff(resolver, limits));
  const { used, unpinned, remark } = await resolveNew(request, limits, { flags, session, project });
  if (remark !== undefined && format === 'people') terminal.err.write(`${remark}\n`);
  if (used.length + unpinned.length === 0)
    throw new UsageError('The project has all of it already.');
  const answer = await checkAll(used, {}, session);
  const { host } = new URL(session.settings.url.value);
  const judge = (found: ReadonlyMap<UsedVersion, Finding>): ReadonlyMap<UsedVersion, Finding> =>
    new Map([...found].map(([one, finding]) => [one, holdOwnNames(finding, one, host)]));
  if (format === 'people') {
    terminal.out.write(`${formatTree(judge(answer.found))}${formatUnpinned(unpinned)}`);
  }
  const ids = used.map(({ dependency }) => dependency);
  const batch = flags.batch ?? nameBatch(ids, requested[0]?.name.replaceAll('/', '-'));
  const submits = !flags.dryRun && (await maySubmit(answer.found, flags, session));
  const outcome = submits
    ? await submitAndWait(answer, { ...flags, batch }, session)
    : { ...answer, submission: undefined, fault: undefined };
  const findings = [...judge(outcome.found).values(), ...unpinned];
  const none = { files: [], notChecked: [], sources: [] };
  const report = { ...makeReport(none, findings), submission: outcome.submission ?? null };
  if (format === 'name') writeRows(listMissing(findings), terminal.out, { format });
  else if (format !== 'people') writeResult(report, terminal, { format: 'json' });
  else for (const line of listRemarks(report)) terminal.err.write(`${line}\n`);
  if (outcome.fault !== undefined) throw outcome.fault;
  const next = describeNext(resolver, requested);
  if (!report.allowed) {
    throw new NegativeResultError(summarize(report), [`When all are approved: ${next}`]);
  }
  if (format === 'people') terminal.err.write(`${summarize(report)} ${next}\n`);
};
