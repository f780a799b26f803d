import { IntegrityReport } from '../../api/schemas/integrity.ts';
import { pack, unpack } from '../dynamodb/pack.ts';
import { getItem } from '../dynamodb/read.ts';
import { defineTable } from '../dynamodb/table.ts';
import { ifUnchanged, putItem } from '../dynamodb/write.ts';
import { putAlone } from '../dynamodb/write-alone.ts';

/** Progress of the scheduled integrity check, between two runs of its worker. */
export interface ScheduledState {
  /** Start time of the check, ISO 8601. */
  readonly began_at: string;
  /** Number of runs that began to continue the check. Each run increases it, which is its lease. */
  readonly runs: number;
  /** Number of the last consecutive runs that saved no progress. */
  readonly stuck: number;
  /** Time until which a run continues the check, ISO 8601; null if none does. */
  readonly leased_until: string | null;
  /** Report so far; null after the end of the check. */
  readonly report: IntegrityReport | null;
}

type StateItem = Omit<ScheduledState, 'report'> & { readonly report: Uint8Array | null };

const stateTable = defineTable<StateItem>('reviews');

/** No version key begins with `#`. */
const key = { v: '#integrity', k: '#state' };

/** Returns the report of an item. A report of another release has another form: its check begins again. */
const readReport = (packed: Uint8Array): IntegrityReport =>
  IntegrityReport.safeParse(unpack(packed)).data ?? IntegrityReport.parse({});

/** Returns the progress of the scheduled check; undefined before the first one. */
export const readScheduledState = async (): Promise<ScheduledState | undefined> => {
  const item = await getItem(stateTable, key);
  if (!item) return undefined;
  const { began_at, runs, stuck, leased_until, report } = item;
  return { began_at, runs, stuck, leased_until, report: report && readReport(report) };
};

/** Error of a state that another run has changed. */
export class StateChangedError extends Error {
  override readonly name = 'StateChangedError';
}

/**
 * Saves the progress.
 * @throws {StateChangedError} if another run has changed the state since it was read
 */
export const saveScheduledState = async (
  { report, ...state }: ScheduledState,
  seen: ScheduledState | undefined,
): Promise<void> => {
  const item = { ...key, ...state, report: report && pack(report) };
  const guard = {
    ...ifUnchanged(seen, ['began_at', 'runs']),
    refuse: () => new StateChangedError('Another run continues the check'),
  };
  await putAlone(putItem(stateTable, item, guard));
};
