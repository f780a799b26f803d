import { randomUUID } from 'node:crypto';
import { RequestError } from '../../../shared/api/client/client.ts';
import type { PackageId } from '../../../shared/domain/packages/package-id.ts';
import type { JsonObject } from '../../../shared/util/json.ts';
import { NegativeResultError } from '../../failure/negative-result-error.ts';
import { withInterruption } from '../../input/interruption.ts';
import { readSelection, type Selection } from '../../many/leaked-token.ts';
import { warnOfUnsent } from '../../many/outcomes.ts';
import { presentPackageCell } from '../../many/package-text.ts';
import { walkVersions } from '../../many/walk-versions.ts';
import { writeResult, writeRows } from '../../output/result.ts';
import { countBy, formatRefused, formatTally } from '../../output/tally.ts';
import { eraseLine } from '../../output/terminal.ts';
import type { Session } from '../../session/session.ts';

/** A scan by one tool of a version, with a token of the label. */
interface FoundScan extends PackageId {
  readonly tool: string;
  readonly scan_date: string;
}

interface Outcome extends FoundScan {
  readonly outcome: 'dismissed' | 'already dismissed' | 'to be dismissed' | 'refused';
  readonly why: string | null;
}

/** Reads all versions, since scans can be of old ones. The oldest come first, so that new versions come last. */
const findScans = async (
  { label, includes }: Selection,
  session: Session,
): Promise<readonly FoundScan[]> => {
  const found: FoundScan[] = [];
  for await (const versions of walkVersions('submitted_at', session)) {
    for (const { ecosystem, name, version, scan } of versions) {
      for (const { tool, scan_date, ...one } of scan?.tools ?? []) {
        if (one.label !== label || !includes(scan_date)) continue;
        found.push({ ecosystem, name, version, tool, scan_date });
      }
    }
  }
  return found;
};

const dismiss = async (
  found: FoundScan,
  { label, reason }: Selection,
  { client }: Session,
): Promise<Outcome> => {
  const { ecosystem, name, version, tool } = found;
  const input = { path: { name }, query: { ecosystem, version, tool, label }, body: { reason } };
  try {
    await client.dismissScan(input, { idempotencyKey: randomUUID() });
    return { ...found, outcome: 'dismissed', why: null };
  } catch (error) {
    if (!(error instanceof RequestError) || error.status === null || error.status >= 500)
      throw error;
    // These refusals would repeat for each scan.
    if (error.status === 401 || error.status === 403 || error.status === 429) throw error;
    const isGone = error.code === 'scan_not_found';
    return { ...found, outcome: isGone ? 'already dismissed' : 'refused', why: error.detail };
  }
};

const columns = ['outcome', 'package', 'tool', 'scan_date', 'why'];

const write = (outcomes: readonly Outcome[], { terminal, format }: Session): void => {
  const rows: JsonObject[] = outcomes.map((outcome) => ({ ...outcome }));
  if (format === 'json') writeResult({ scans: rows }, terminal, { format });
  else writeRows(rows, terminal.out, { format, columns, presentRow: presentPackageCell });
  const text = formatTally(countBy(outcomes, ({ outcome }) => outcome));
  if (format === 'people') terminal.err.write(`${text || 'No scan was found'}.\n`);
};

const dismissAll = async (
  scans: readonly FoundScan[],
  selection: Selection,
  session: Session,
): Promise<readonly Outcome[]> => {
  const { terminal } = session;
  const showProgress = (text: string): void => {
    if (terminal.err.isTerminal) terminal.err.write(`${eraseLine}${text}`);
  };
  const outcomes: Outcome[] = [];
  try {
    await withInterruption(async (signal) => {
      for (const scan of scans) {
        signal.throwIfAborted();
        showProgress(`${outcomes.length} of ${scans.length} dismissed`);
        outcomes.push(await dismiss(scan, selection, session));
      }
    });
  } finally {
    showProgress('');
    write(outcomes, session);
    warnOfUnsent(scans.length - outcomes.length, session);
  }
  return outcomes;
};

/**
 * Dismisses all scans that tokens of a label sent since a time, one after the other. Versions do not list dismissed scans, so that
 * an interrupted command can be repeated.
 * @throws {NegativeResultError} if the registry refused one
 */
export const dismissSince = async (flags: JsonObject, session: Session): Promise<void> => {
  const selection = readSelection(flags, [
    'tool',
    'number',
    'ecosystem',
    'version',
    'idempotencyKey',
  ]);
  const scans = await findScans(selection, session);
  if (flags['dryRun']) {
    write(
      scans.map((scan) => ({ ...scan, outcome: 'to be dismissed', why: null })),
      session,
    );
    return;
  }
  const outcomes = await dismissAll(scans, selection, session);
  const refused = outcomes.filter(({ outcome }) => outcome === 'refused').length;
  if (refused === 0) return;
  throw new NegativeResultError(formatRefused(refused, outcomes.length));
};
