import { type Ecosystem, ecosystems } from '../../domain/packages/ecosystem.ts';
import { type Status, statuses } from '../../domain/review/status.ts';

/**
 * One capital for each combination of ecosystem and status: the attribute that counts it, and the flag of a row.
 * Capitals, because the catalogue's keys are small letters.
 */
export type Cell = string;

interface Classified {
  readonly ecosystem: Ecosystem;
  readonly status: Status;
}

interface CellFilter {
  readonly ecosystem?: Ecosystem | undefined;
  readonly status?: Status | undefined;
}

const firstLetter = 'A'.charCodeAt(0);

const combinations: readonly Classified[] = ecosystems.flatMap((ecosystem) =>
  statuses.map((status) => ({ ecosystem, status })),
);

export const toCell = ({ ecosystem, status }: Classified): Cell =>
  String.fromCharCode(
    firstLetter + ecosystems.indexOf(ecosystem) * statuses.length + statuses.indexOf(status),
  );

const classes = new Map(combinations.map((combination) => [toCell(combination), combination]));

/** Every cell, in the order of their letters. */
export const allCells: readonly Cell[] = [...classes.keys()];

/** What a cell's letter stands for. */
export const describeCell = (cell: Cell): Classified => {
  const combination = classes.get(cell);
  if (!combination) throw new Error(`The catalogue has a row in the unknown cell ${cell}`);
  return combination;
};

/** The cells that a filter lets through: their counts add up to its total. */
export const toCells = ({ ecosystem, status }: CellFilter): Cell[] =>
  allCells.filter((cell) => {
    const combination = describeCell(cell);
    return (
      (ecosystem === undefined || ecosystem === combination.ecosystem) &&
      (status === undefined || status === combination.status)
    );
  });
