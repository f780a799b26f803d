/** Cost of an operation in DynamoDB, as the engine reports it. */
export interface Cost {
  readonly calls: number;
  readonly readUnits: number;
  readonly writeUnits: number;
}

const cost = (calls: number, readUnits: number, writeUnits = 0): Cost => ({
  ...{ calls, readUnits, writeUnits },
});

/**
 * Cost of each operation for data of the usual size. `test/capacity/counted-operations.test.ts` measures it in a registry
 * of 1,000 versions; other tests of that folder show that the size of the registry does not matter.
 */
export const countedOperations = {
  'list, first page of 100': cost(2, 3),
  'list, any page of 100': cost(3, 5),
  'list, 100 versions in full': cost(7, 59),
  'search for a rare word': cost(2, 2),
  'one version': cost(1, 1),
  'check of 100 versions': cost(15, 68),
  attention: cost(6, 6),
  submission: cost(3, 1, 78.3),
  'index of a submission': cost(2, 0, 2),
  'first scan': cost(2, 1, 7.7),
  'first upstream metadata': cost(7.1, 4.6, 10),
  'evidence of a version': cost(8, 8),
  'queue of reviews, 50 versions': cost(5, 34.5),
  approval: cost(4.7, 3.8, 85.3),
  'index of an approval': cost(11, 3, 8.2),
  'event of a decision': cost(0.3, 1.1, 4.4),
  'rescan without news': cost(0, 0.5),
  'run of the rescan, nothing due': cost(3, 3),
  'run of due work, nothing due': cost(33, 25),
  'run of the recall, no news': cost(5, 5),
  'integrity check of a version': cost(6.3, 11.6),
  'refresh of a package without news': cost(3, 1.5, 3),
  'gate: npm document of 100 versions': cost(2, 4.5),
  'gate: npm document, not modified': cost(1, 1),
  'gate: npm file': cost(2, 1.5),
  'gate: PyPI page of 100 versions': cost(2, 4),
  'gate: Maven file': cost(2, 1.5),
  'signature of a decision': cost(2, 1, 1),
} as const satisfies Readonly<Record<string, Cost>>;

export type CountedOperation = keyof typeof countedOperations;
