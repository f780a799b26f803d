import type { RegistryEvent } from '../../../shared/api/schemas/event.ts';
import type { JsonObject } from '../../../shared/util/json.ts';
import { UsageError } from '../../input/usage-error.ts';
import { type LostEvents, readAllEvents, refuseLost } from '../../many/all-events.ts';
import { formatJson } from '../../output/json.ts';
import { writeResultFile } from '../../output/result-file.ts';
import { formatCount } from '../../output/text.ts';
import type { Session } from '../../session/session.ts';
import { csvHead, formatCsv } from './csv.ts';

/** The flags of the command. Times are in ISO 8601. */
interface ExportFlags {
  readonly since?: string;
  readonly until?: string;
  readonly format?: 'jsonl' | 'csv';
  readonly file?: string;
}

/** Whether events of a type are decisions: not requests, and not what follows from a decision or new evidence. */
const isDecision: Readonly<Record<RegistryEvent['type'], boolean>> = {
  'package.submitted': false,
  'package.approved': true,
  'package.rejected': true,
  'package.recalled': true,
  'package.released': true,
  'package.expired': true,
  'package.restored': true,
  'package.attention': false,
  'package.commented': false,
  'project.affected': false,
  'scan.dismissed': true,
  'license.decided': true,
  'vulnerability.accepted': true,
  'acceptance.ended': true,
  'recall.confirmed': true,
  'recall.dismissed': true,
  'registry.frozen': true,
  'registry.unfrozen': true,
};

const formats = {
  jsonl: { head: '', formatRow: (event: RegistryEvent) => `${formatJson(event)}\n` },
  csv: { head: csvHead, formatRow: formatCsv },
} as const;

/** @throws {UsageError} for a common flag with another format */
const chooseFormat = ({ format }: ExportFlags, session: Session): keyof typeof formats => {
  const isByLine = session.format === 'people' || session.format === 'jsonl';
  if (isByLine && (format !== 'csv' || session.format === 'people')) return format ?? 'jsonl';
  throw new UsageError('Decisions are JSON lines, or CSV with --format csv.');
};

/** Returns whether an event is a decision of the period. */
const selectDecisions = ({ since = '', until }: ExportFlags) => {
  const [from, to] = [
    Date.parse(since),
    until === undefined ? Number.POSITIVE_INFINITY : Date.parse(until),
  ];
  return ({ type, at }: RegistryEvent): boolean => {
    const time = Date.parse(at);
    return isDecision[type] && time >= from && time < to;
  };
};

/**
 * Writes the decisions of a period, page by page. It reads all events, so that none is missing.
 * @throws {NegativeResultError} if the registry has lost events
 */
export const runExportDecisions = async (flags: JsonObject, session: Session): Promise<void> => {
  const given = flags as ExportFlags;
  const { head, formatRow } = formats[chooseFormat(given, session)];
  const isSelected = selectDecisions(given);
  const lost: LostEvents[] = [];
  let [decisions, newest] = [0, 0];
  await writeResultFile(given.file, session.terminal, async (write) => {
    write(head);
    for await (const page of readAllEvents(session)) {
      const selected = page.events.filter(isSelected);
      write(selected.map(formatRow).join(''));
      lost.push(...page.lost);
      decisions += selected.length;
      newest = page.events.at(-1)?.sequence ?? newest;
    }
  });
  if (lost.length > 0) throw refuseLost(lost);
  session.terminal.err.write(
    `${formatCount(decisions)} ${decisions === 1 ? 'decision' : 'decisions'} among ${formatCount(newest)} events.\n`,
  );
};
