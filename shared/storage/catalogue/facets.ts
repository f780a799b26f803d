import { type Ecosystem, ecosystems } from '../../domain/packages/ecosystem.ts';
import { type Status, statuses } from '../../domain/review/status.ts';

/**
 * One capital for each combination of ecosystem and status: the attribute that counts it, and the flag of a row.
 * Capitals, because the catalogue's keys are small letters.
 */
export type Facet = string;

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

export const toFacet = ({ ecosystem, status }: Classified): Facet =>
  String.fromCharCode(
    firstLetter + ecosystems.indexOf(ecosystem) * statuses.length + statuses.indexOf(status),
  );

const classes = new Map(combinations.map((combination) => [toFacet(combination), combination]));

/** Every cell, in the order of their letters. */
export const allFacets: readonly Facet[] = [...classes.keys()];

/** What a cell's letter stands for. */
export const describeFacet = (cell: Facet): Classified => {
  const combination = classes.get(cell);
  if (!combination) throw new Error(`The catalogue has a row in the unknown cell ${cell}`);
  return combination;
};

/** The cells that a filter lets through: their counts add up to its total. */
export const toFacets = ({ ecosystem, status }: CellFilter): Facet[] =>
  allFacets.filter((cell) => {
    const combination = describeFacet(cell);
    return (
      (ecosystem === undefined || ecosystem === combination.ecosystem) &&
      (status === undefined || status === combination.status)
    );
  });
