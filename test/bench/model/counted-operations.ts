/** Cost of an operation in DynamoDB, as the engine reports it. */
export interface Cost {
  readonly calls: number;
  /** Longest chain of sequential calls. */
  readonly roundTrips: number;
  readonly readUnits: number;
  readonly writeUnits: number;
}

const cost = (calls: number, roundTrips: number, readUnits: number, writeUnits = 0): Cost => ({
  ...{ calls, roundTrips, readUnits, writeUnits },
});

/**
 * Cost of each operation for data of the usual size. `test/capacity/counted-operations.test.ts` measures it in a registry
 * of 1,000 versions; other tests of that folder show that the size of the registry does not matter.
 */
export const countedOperations = {
  'list, first page of 100': cost(0, 0, 0),
  'list, any page of 100': cost(0, 0, 0),
  'list, 100 versions in full': cost(0, 0, 0),
  'search for a rare word': cost(0, 0, 0),
  'one version': cost(0, 0, 0),
  'check of 100 versions': cost(0, 0, 0),
  attention: cost(0, 0, 0),
  submission: cost(0, 0, 0),
  'index of a submission': cost(0, 0, 0),
  'first scan': cost(0, 0, 0),
  'first upstream metadata': cost(0, 0, 0),
  'evidence of a version': cost(0, 0, 0),
  'queue of reviews, 50 versions': cost(0, 0, 0),
  approval: cost(0, 0, 0),
  'index of an approval': cost(0, 0, 0),
  'event of a decision': cost(0, 0, 0),
  'rescan without news': cost(0, 0, 0),
  'run of the rescan, nothing due': cost(0, 0, 0),
  'run of due work, nothing due': cost(0, 0, 0),
  'run of the recall, no news': cost(0, 0, 0),
  'integrity check of a version': cost(0, 0, 0),
  'refresh of a package without news': cost(0, 0, 0),
  'gate: npm document of 100 versions': cost(0, 0, 0),
  'gate: npm document, not modified': cost(0, 0, 0),
  'gate: npm file': cost(0, 0, 0),
  'gate: PyPI page of 100 versions': cost(0, 0, 0),
  'gate: Maven file': cost(0, 0, 0),
} as const satisfies Readonly<Record<string, Cost>>;

export type CountedOperation = keyof typeof countedOperations;
