/** What several clients did and saw, in the order in which it began and ended. */
import type { PackageId } from '../../../shared/domain/packages/package-id.ts';
import type { Operation } from '../../use-cases/review/find-linearization.ts';
import type { Known } from './model.ts';
import { keyOf } from './versions.ts';

/** What became of a thing that was asked for. */
type Kind = 'done' | 'refused' | 'undone' | 'unknown';

/** Something that leaves a record, if it happened: under this name, and no other thing has it. */
export interface NamedWrite {
  readonly id: PackageId;
  readonly by: string;
  readonly kind: Kind;
}

export interface HistoryRecord {
  /** By version. */
  readonly operations: ReadonlyMap<string, readonly Operation<Known>[]>;
  /** Which step did what, for whoever reads a history that is wrong. */
  readonly told: readonly string[];
  readonly decisions: readonly NamedWrite[];
  /** What no history may hold, whatever its order. */
  readonly violations: readonly string[];
}

export const startRecord = () => {
  const operations = new Map<string, Operation<Known>[]>();
  const told: string[] = [];
  const decisions: NamedWrite[] = [];
  const violations: string[] = [];
  let moments = 0;
  const takeMoment = (): number => {
    moments += 1;
    return moments;
  };
  return {
    record: { operations, told, decisions, violations } satisfies HistoryRecord,
    takeMoment,
    /** Notes what can have happened; what surely did not is left out. */
    note: (
      what: string,
      id: PackageId,
      { began, kind, apply }: { began: number; kind: Kind; apply: Operation<Known>['apply'] },
    ): void => {
      const isKnown = kind !== 'unknown';
      const ended = isKnown ? takeMoment() : Number.POSITIVE_INFINITY;
      told.push(`${began}-${ended} ${keyOf(id)}: ${what}, ${kind}`);
      if (kind === 'undone') return;
      const operation = { began, ended, times: isKnown ? 'once' : 'perhaps', apply } as const;
      operations.set(keyOf(id), [...(operations.get(keyOf(id)) ?? []), operation]);
    },
    noteDecision: (write: NamedWrite): void => void decisions.push(write),
    accuse: (violation: string): void => void violations.push(violation),
  };
};

export type Recorder = ReturnType<typeof startRecord>;
