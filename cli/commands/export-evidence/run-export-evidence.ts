import type { VersionEvidence } from '../../../shared/api/schemas/evidence.ts';
import { buildInput } from '../../framework/build-input.ts';
import type { Invocation } from '../../framework/command.ts';
import { explainRefusal } from '../../framework/explain-refusal.ts';
import { readNamedPackage } from '../../framework/named-package.ts';
import { describeRoute } from '../../framework/route-description.ts';
import { UsageError } from '../../input/usage-error.ts';
import { formatJson } from '../../output/json.ts';
import { writeResultFile } from '../../output/result-file.ts';
import { toOneLine } from '../../output/text.ts';
import type { Session } from '../../session/session.ts';
import { type LoadedReport, loadReport } from './load-report.ts';
import { writePage } from './page/page.ts';

const described = describeRoute('showEvidence');

type EvidenceInput = Parameters<Session['client']['showEvidence']>[0];

const readEvidence = async (invocation: Invocation, session: Session): Promise<VersionEvidence> => {
  const named = readNamedPackage(described, invocation);
  try {
    const input = buildInput(described, named, undefined) as EvidenceInput;
    return await session.client.showEvidence(input);
  } catch (error) {
    throw await explainRefusal(error, { described, session }, named);
  }
};

/** Returns what a decision or a new finding changes. */
const identify = ({
  evidence_version,
  package: { status, approved_at, rejected_at },
}: VersionEvidence) => JSON.stringify([evidence_version, status, approved_at, rejected_at]);

const maxAttempts = 3;

/** Loads a report whose parts are of one state of the version. A version that keeps changing is a gap of the report. */
const loadUnchanged = async (invocation: Invocation, session: Session): Promise<LoadedReport> => {
  let evidence = await readEvidence(invocation, session);
  for (let attempt = 1; ; attempt += 1) {
    const loaded = await loadReport({ evidence, now: new Date() }, session);
    const after = await readEvidence(invocation, session);
    if (identify(after) === identify(evidence)) return loaded;
    if (attempt === maxAttempts) {
      const gap = { part: 'one state', message: 'The version changed during the export.' };
      return { ...loaded, report: { ...loaded.report, gaps: [gap, ...loaded.report.gaps] } };
    }
    evidence = after;
  }
};

/** @throws {UsageError} if the result would be unreadable, or another format than the command has */
const checkOutput = ({ flags }: Invocation, { terminal, format }: Session): void => {
  if (format === 'jsonl' || format === 'name') {
    throw new UsageError('The report is HTML, or one JSON document with --json.');
  }
  if (format === 'people' && flags['file'] === undefined && terminal.out.isTerminal) {
    throw new UsageError('Give --file, such as --file evidence.html, or redirect the output.');
  }
};

/**
 * Writes the evidence report of a version.
 * @throws {RequestError} if a part is missing; the report is written before, and names that part
 */
export const runExportEvidence = async (
  invocation: Invocation,
  session: Session,
): Promise<void> => {
  checkOutput(invocation, session);
  const { terminal, format, progress } = session;
  const file = invocation.flags['file'] as string | undefined;
  let failure: Error | undefined;
  await writeResultFile(file, terminal, async (write) => {
    try {
      const loaded = await loadUnchanged(invocation, session);
      failure = loaded.failure;
      progress.end();
      const { report } = loaded;
      for (const { part, message } of report.gaps) {
        terminal.warn(toOneLine(`The report lacks a part (${part}): ${message}`));
      }
      write(format === 'json' ? `${formatJson(report, 2)}\n` : writePage(report));
    } finally {
      progress.end();
    }
  });
  if (failure) throw failure;
};
