/** The operations of several clients, in the order of their starts and ends. */
import type { PackageId } from '../../../shared/domain/packages/package-id.ts';
import type { Operation } from '../../use-cases/review/find-linearization.ts';
import type { Known } from './model.ts';
import { keyOf } from './versions.ts';

/** The outcome of a request. */
type Kind = 'done' | 'refused' | 'undone' | 'unknown';

/** A write that leaves a record under this unique name, if it happened. */
export interface NamedWrite {
  readonly id: PackageId;
  readonly by: string;
  readonly kind: Kind;
}

export interface HistoryRecord {
  /** By version. */
  readonly operations: ReadonlyMap<string, readonly Operation<Known>[]>;
  /** A line for each step, to explain a violation. */
  readonly steps: readonly string[];
  readonly decisions: readonly NamedWrite[];
  /** Violations that no order of the operations explains. */
  readonly violations: readonly string[];
}

export const startRecord = () => {
  const operations = new Map<string, Operation<Known>[]>();
  const steps: string[] = [];
  const decisions: NamedWrite[] = [];
  const violations: string[] = [];
  let moments = 0;
  const takeMoment = (): number => {
    moments += 1;
    return moments;
  };
  return {
    record: { operations, steps, decisions, violations } satisfies HistoryRecord,
    takeMoment,
    /** Records an operation that may have happened; omits one that surely did not. */
    note: (
      what: string,
      id: PackageId,
      { began, kind, apply }: { began: number; kind: Kind; apply: Operation<Known>['apply'] },
    ): void => {
      const isKnown = kind !== 'unknown';
      const ended = isKnown ? takeMoment() : Number.POSITIVE_INFINITY;
      steps.push(`${began}-${ended} ${keyOf(id)}: ${what}, ${kind}`);
      if (kind === 'undone') return;
      const operation = { began, ended, times: isKnown ? 'once' : 'perhaps', apply } as const;
      operations.set(keyOf(id), [...(operations.get(keyOf(id)) ?? []), operation]);
    },
    noteDecision: (write: NamedWrite): void => void decisions.push(write),
    accuse: (violation: string): void => void violations.push(violation),
  };
};

export type Recorder = ReturnType<typeof startRecord>;
