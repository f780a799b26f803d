import { type Status, statuses } from '../../domain/review/status.ts';
import { type Ecosystem, ecosystems } from '../../ecosystems/ecosystem.ts';

/**
 * One capital for each combination of ecosystem and status: the attribute that counts it, and the flag of a row.
 * Capitals, because the catalogue's keys are small letters.
 */
export type Facet = string;

interface Classified {
  readonly ecosystem: Ecosystem;
  readonly status: Status;
}

interface FacetFilter {
  readonly ecosystem?: Ecosystem | undefined;
  readonly status?: Status | undefined;
}

/** The letters of all facets. They are stored: a new ecosystem or status takes unused letters, and none ever changes. */
const letters: Readonly<Record<Ecosystem, Readonly<Record<Status, Facet>>>> = {
  pypi: { pending: 'A', approved: 'B', rejected: 'C' },
  npm: { pending: 'D', approved: 'E', rejected: 'F' },
  maven: { pending: 'G', approved: 'H', rejected: 'I' },
  docker: { pending: 'J', approved: 'K', rejected: 'L' },
};

const combinations: readonly Classified[] = ecosystems.flatMap((ecosystem) =>
  statuses.map((status) => ({ ecosystem, status })),
);

/** Returns the facet that counts versions of an ecosystem and status. */
export const toFacet = ({ ecosystem, status }: Classified): Facet => letters[ecosystem][status];

const classes = new Map(combinations.map((combination) => [toFacet(combination), combination]));

/** All facets, sorted by letter. */
export const allFacets: readonly Facet[] = [...classes.keys()].toSorted();

/** Returns the ecosystem and status of a facet. */
export const describeFacet = (facet: Facet): Classified => {
  const combination = classes.get(facet);
  if (!combination) throw new Error(`The catalogue has a row in the unknown facet ${facet}`);
  return combination;
};

/** Returns the facets that match a filter. The sum of their counts is its total. */
export const toFacets = ({ ecosystem, status }: FacetFilter): Facet[] =>
  allFacets.filter((facet) => {
    const combination = describeFacet(facet);
    return (
      (ecosystem === undefined || ecosystem === combination.ecosystem) &&
      (status === undefined || status === combination.status)
    );
  });
