import type { PackageDetail } from '../../api/schemas/package.ts';
import { type Guard, putItem, type Write } from '../dynamodb/write.ts';
import { toEcosystemPrefix } from './catalogue-keys.ts';
import { changeCounts } from './counters.ts';
import { toFacet } from './facets.ts';
import {
  type BrowseRow,
  browseRowsTable,
  type CatalogueVersion,
  makeRows,
  searchRowsTable,
} from './rows.ts';
import type { CatalogueTarget } from './target.ts';

/** Another version stands at this ordinal: the counter of ordinals was set back, as by a restore. */
export class SequenceNumberTakenError extends Error {
  override readonly name = 'SequenceNumberTakenError';

  constructor() {
    super('Another version stands at this ordinal');
  }
}

const refuseTaken = (): Error => new SequenceNumberTakenError();

const isFree: Guard<BrowseRow> = {
  ConditionExpression: 'attribute_not_exists(p)',
  refuse: refuseTaken,
};

/** A lost row heals. */
const isFreeOrOwn = ({ ecosystem, name, version }: CatalogueVersion): Guard<BrowseRow> => ({
  ConditionExpression:
    'attribute_not_exists(p) OR (n = :name AND v = :version AND begins_with(e, :ecosystem))',
  ExpressionAttributeValues: {
    ':name': name,
    ':version': version,
    ':ecosystem': toEcosystemPrefix(ecosystem),
  },
  refuse: refuseTaken,
});

/**
 * Puts every row of a version whole. No row replaces another version's: the guard of the browse row keeps the ordinal for
 * this version, and with it the keys of its search rows, which need no guard then.
 */
const putRows = (
  version: CatalogueVersion,
  { layout }: Pick<CatalogueTarget, 'layout'>,
  guard: Guard<BrowseRow>,
): Write[] => {
  const [browseRow, ...searchRows] = makeRows(version, layout);
  return [
    putItem(browseRowsTable, browseRow, guard),
    ...searchRows.map((row) => putItem(searchRowsTable, row)),
  ];
};

/** What a new version adds to the catalogue, in the transaction that submits it; refuses with OrdinalTakenError. */
export const addToCatalogue = (
  detail: PackageDetail,
  ordinal: number,
  target: CatalogueTarget,
): Write[] => [
  ...putRows({ ...detail, ordinal }, target, isFree),
  ...changeCounts(ordinal, { [toFacet(detail)]: 1 }, target),
];

/** What a decision changes in the catalogue, in the transaction that makes it; refuses with OrdinalTakenError. */
export const moveInCatalogue = (
  change: { readonly before: PackageDetail; readonly after: PackageDetail },
  ordinal: number,
  target: CatalogueTarget,
): Write[] => {
  const version = { ...change.after, ordinal };
  return [
    ...putRows(version, target, isFreeOrOwn(version)),
    ...changeCounts(ordinal, { [toFacet(change.before)]: -1, [toFacet(change.after)]: 1 }, target),
  ];
};
