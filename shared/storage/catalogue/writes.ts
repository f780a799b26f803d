import type { PackageDetail } from '../../api/schemas/package.ts';
import { deleteItem, type Guard, putItem, type Write } from '../dynamodb/write.ts';
import { changeCounts } from './counters.ts';
import { toFacet, toFacets } from './facets.ts';
import {
  type BrowseRow,
  browseRowsTable,
  type CatalogueVersion,
  makeRows,
  rowsTable,
  toStatusKeys,
} from './rows.ts';
import type { CatalogueTarget } from './target.ts';

/** Error of a sequence number that another version has. The counter was set back, for example by a restore. */
export class SequenceNumberTakenError extends Error {
  override readonly name = 'SequenceNumberTakenError';

  constructor() {
    super('Another version has this sequence number');
  }
}

const refuseTaken = (): Error => new SequenceNumberTakenError();

const isFree: Guard<BrowseRow> = {
  ConditionExpression: 'attribute_not_exists(p)',
  refuse: refuseTaken,
};

/** Returns the guard that the row is absent or belongs to the version. A lost row is written again. */
const isFreeOrOwn = ({ ecosystem, name, version }: CatalogueVersion): Guard<BrowseRow> => {
  const facets = toFacets({ ecosystem }).map((facet, at) => [`:c${at}`, facet] as const);
  const isOfEcosystem = `c IN (${facets.map(([alias]) => alias).join(', ')})`;
  return {
    ConditionExpression: `attribute_not_exists(p) OR (n = :name AND v = :version AND ${isOfEcosystem})`,
    ExpressionAttributeValues: {
      ':name': name,
      ':version': version,
      ...Object.fromEntries(facets),
    },
    refuse: refuseTaken,
  };
};

/**
 * Returns the writes of all rows of a version. They replace no row of another version: the guard of the first browse row
 * reserves the sequence number, and thereby the keys of all other rows, which need no guard.
 */
const putRows = (
  version: CatalogueVersion,
  { layout }: Pick<CatalogueTarget, 'layout'>,
  guard: Guard<BrowseRow>,
): Write[] => {
  const [browseRow, ...others] = makeRows(version, layout);
  return [
    putItem(browseRowsTable, browseRow, guard),
    ...others.map((row) => putItem(rowsTable, row)),
  ];
};

/**
 * Returns the writes that add a new version, in the transaction of the submission. They fail with
 * `SequenceNumberTakenError` if another version has the number.
 */
export const addToCatalogue = (
  detail: PackageDetail,
  sequence: number,
  target: CatalogueTarget,
): Write[] => [
  ...putRows({ ...detail, sequence }, target, isFree),
  ...changeCounts(sequence, { [toFacet(detail)]: 1 }, target),
];

/**
 * Returns the writes of a change of status, in the transaction of the decision. They move the version from the lists of its
 * old status to the lists of its new status. They fail with `SequenceNumberTakenError` if another version has the number.
 */
export const moveInCatalogue = (
  change: { readonly before: PackageDetail; readonly after: PackageDetail },
  sequence: number,
  target: CatalogueTarget,
): Write[] => {
  const version = { ...change.after, sequence };
  const former = toStatusKeys({ ...change.before, sequence }, target.layout);
  return [
    ...putRows(version, target, isFreeOrOwn(version)),
    ...former.map((key) => deleteItem(rowsTable, key)),
    ...changeCounts(sequence, { [toFacet(change.before)]: -1, [toFacet(change.after)]: 1 }, target),
  ];
};
