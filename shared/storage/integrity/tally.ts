import type { FindingKind, IntegrityPhase, IntegrityReport } from '../../api/schemas/integrity.ts';
import type { ScanPolicy } from '../../domain/vulnerabilities/verdict.ts';
import type { Deadline } from '../../util/deadline.ts';
import type { CatalogueLayout } from '../catalogue/layout.ts';

/** Examples kept of what was found: enough to see a pattern, few enough to read. */
const maxExamples = 20;

/** Counts what a step looks at, finds and mends. */
export const createTally = (before: IntegrityReport) => {
  const checked = { ...before.checked };
  const found = { ...before.found };
  const examples = [...before.examples];
  let { repaired, unjudged } = before;

  return {
    check: (what: IntegrityPhase, count: number): void => {
      checked[what] = (checked[what] ?? 0) + count;
    },
    find: (kind: FindingKind, example: string): void => {
      found[kind] = (found[kind] ?? 0) + 1;
      if (examples.length < maxExamples) examples.push(`${kind}: ${example}`);
    },
    /**
     * Finds what concerns all versions, and is seen with each page of them.
     * @returns whether this was not found before
     */
    findOnce: (kind: FindingKind, example: string): boolean => {
      const text = `${kind}: ${example}`;
      if (examples.includes(text)) return false;
      found[kind] = (found[kind] ?? 0) + 1;
      // Beyond the limit of examples, too: by them it is known.
      examples.push(text);
      return true;
    },
    repair: (count: number): void => {
      repaired += count;
    },
    leaveUnjudged: (): void => {
      unjudged += 1;
    },
    report: () => ({ checked, found, examples, repaired, unjudged }),
  };
};

type Tally = ReturnType<typeof createTally>;

/** The settings and state of one integrity check. */
export interface CheckContext {
  readonly repair: boolean;
  readonly layout: CatalogueLayout;
  readonly tally: Tally;
  readonly deadline: Deadline;
  readonly now: Date;
  /** What scans come to by what they found. */
  readonly scanPolicy: ScanPolicy;
  /** The numbers of lost events that are free for others. Each is given once. */
  readonly lostNumbers: AsyncGenerator<number, undefined>;
}
