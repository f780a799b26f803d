import { randomUUID } from 'node:crypto';
import type { CallOptions } from '../../../shared/api/client/client.ts';
import type { RouteInput } from '../../../shared/api/client/outgoing.ts';
import * as routes from '../../../shared/api/routes.ts';
import type { ListedVersion } from '../../../shared/api/schemas/listed.ts';
import type { ResultList } from '../../../shared/api/schemas/many.ts';
import { toVersionKey } from '../../../shared/domain/packages/package-id.ts';
import type { JsonObject } from '../../../shared/util/json.ts';
import { withInterruption } from '../../input/interruption.ts';
import { cutIntoBatches } from '../../many/batches.ts';
import { readSelection, type Selection } from '../../many/leaked-token.ts';
import {
  failForOutcomes,
  listDone,
  listRows,
  type Outcome,
  warnOfUnsent,
  writeOutcomes,
} from '../../many/outcomes.ts';
import { presentPackageCell } from '../../many/package-text.ts';
import { addUses, type RowUses } from '../../many/project-uses.ts';
import { sendBatches } from '../../many/send-many.ts';
import { walkVersions } from '../../many/walk-versions.ts';
import { isByRow, writeResult, writeRows } from '../../output/result.ts';
import { formatTally } from '../../output/tally.ts';
import { presentUses } from '../../presentation/used-by.ts';
import type { Session } from '../../session/session.ts';
import { warnOfUses } from './warn-of-uses.ts';

/** The list is in the order of sequence numbers, and times may differ from it by the duration of a request. */
const toleranceMs = 10 * 60_000;

/** Versions that tokens of the label submitted, by status. */
interface Found {
  readonly pending: readonly ListedVersion[];
  readonly approved: readonly ListedVersion[];
  readonly rejected: readonly ListedVersion[];
}

/** Reads versions from the newest down to the time. Concurrent submissions repeat a version, and hide none. */
const findSubmissions = async (
  { label, includes, since }: Selection,
  session: Session,
): Promise<Found> => {
  const found = new Map<string, ListedVersion>();
  for await (const versions of walkVersions('-submitted_at', session)) {
    for (const version of versions) {
      if (version.submitted_token_label !== label || !includes(version.submitted_at)) continue;
      found.set(toVersionKey(version), version);
    }
    const isPast = ({ submitted_at }: ListedVersion): boolean =>
      submitted_at !== null && Date.parse(submitted_at) < since - toleranceMs;
    if (versions.some(isPast)) break;
  }
  const by = (status: ListedVersion['status']) =>
    [...found.values()].filter((version) => version.status === status);
  return { pending: by('pending'), approved: by('approved'), rejected: by('rejected') };
};

/** Returns the decision on a version. `expected_status` keeps concurrent decisions of others. */
const toItem = (
  { ecosystem, name, version, status }: ListedVersion,
  reason: string,
): JsonObject => ({ ecosystem, name, version, action: 'reject', reason, expected_status: status });

const presentPlanned = ({
  projects,
  projects_at_least,
  used_by,
  ...version
}: ListedVersion & RowUses): object => ({
  ...presentPackageCell(version),
  ...presentUses({ projects, projects_at_least, used_by }),
});

const showPlan = async (
  versions: readonly ListedVersion[],
  untouched: Readonly<Record<string, number>>,
  session: Session,
): Promise<void> => {
  const { terminal, format } = session;
  const planned = versions.map(
    ({ ecosystem, name, version, status, submitted_at, submitted_by }) => ({
      ...{ outcome: 'to be rejected', ecosystem, name, version },
      ...{ status, submitted_at, submitted_by },
    }),
  );
  const rows = await addUses(session)(planned);
  if (format === 'json') writeResult({ versions: rows }, terminal, { format });
  else writeRows(rows, terminal.out, { format, presentRow: presentPlanned });
  const others = Object.entries(untouched).filter(([, count]) => count > 0);
  const tally = formatTally([['to be rejected', rows.length], ...others]);
  terminal.err.write(`${tally}. Nothing was sent.\n`);
};

type Call = (input: RouteInput, options: CallOptions) => Promise<ResultList>;

const send = async (
  items: readonly JsonObject[],
  untouched: Readonly<Record<string, number>>,
  session: Session,
): Promise<void> => {
  const { client, terminal, format } = session;
  // An earlier run may have rejected versions already: these are not sent again.
  const batches = cutIntoBatches(items, routes.decidePackages.path, randomUUID());
  const outcomes: Outcome[] = [];
  const operations: Readonly<Record<string, unknown>> = { ...client };
  const call = operations['decidePackages'] as Call;
  const decide = async (decisions: readonly JsonObject[], options: CallOptions) =>
    (await call({ body: { decisions } }, options)).results;
  try {
    await withInterruption(async (signal) => {
      for await (const some of sendBatches(batches, decide, session, { signal })) {
        outcomes.push(...some);
        if (isByRow(format)) writeRows(listRows(some, format), terminal.out, { format });
      }
    });
  } finally {
    writeOutcomes(outcomes, session, { untouched });
    warnOfUnsent(items.length - outcomes.length, session);
  }
  await warnOfUses(listDone(outcomes), session);
  failForOutcomes(outcomes, session);
};

/**
 * Rejects all versions that tokens of a label submitted since a time, 100 in a request. It counts and skips rejected versions, so
 * that an interrupted command can be repeated.
 * @throws {NegativeResultError} if the registry refused a decision
 */
export const rejectSince = async (flags: JsonObject, session: Session): Promise<void> => {
  const selection = readSelection(flags, [
    ...['file', 'ecosystem', 'version', 'expectedStatus', 'by', 'idempotencyKey'],
  ]);
  const isWithApproved = flags['includeApproved'] === true;
  const { pending, approved, rejected } = await findSubmissions(selection, session);
  const versions = isWithApproved ? [...pending, ...approved] : pending;
  const untouched = {
    'already rejected': rejected.length,
    'approved and left': isWithApproved ? 0 : approved.length,
  };
  if (flags['dryRun']) await showPlan(versions, untouched, session);
  else {
    const items = versions.map((version) => toItem(version, selection.reason));
    await send(items, untouched, session);
  }
  if (untouched['approved and left'] > 0) {
    session.terminal.warn('Add --include-approved to reject approved versions, too.');
  }
};
