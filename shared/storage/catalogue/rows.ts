import type { PackageListItem } from '../../api/schemas/package.ts';
import {
  cutNameBeginning,
  listSearchTexts,
  minSubstringLength,
} from '../../domain/packages/search.ts';
import { defineTable } from '../dynamodb/table.ts';
import { formatSequenceNumber, parseSequenceNumber } from '../packages/version-keys.ts';
import {
  type CatalogueKey,
  findSearchShard,
  toBrowseKey,
  toSearchPartition,
} from './catalogue-keys.ts';
import { describeFacet, type Facet, toFacet } from './facets.ts';
import type { CatalogueLayout } from './layout.ts';

/** Package version with the fields that its catalogue rows need. */
export interface CatalogueVersion extends PackageListItem {
  readonly description: string | null;
  /** Sequence number of the submission. */
  readonly sequence: number;
}

/** Fields of every row, so that a page needs no second read. */
interface RowFacts {
  /** Name, version and license (absent: none). */
  readonly n: string;
  readonly v: string;
  readonly l?: string;
  readonly c: Facet;
}

/** Row in submission order, in the list of one filter. */
export interface BrowseRow extends CatalogueKey, RowFacts {}

/** Row in text order, for one text by which the search finds the version. */
export interface SearchRow extends CatalogueKey, RowFacts {}

export type CatalogueRow = BrowseRow | SearchRow;

export const rowsTable = defineTable<CatalogueRow>('catalogue');
export const browseRowsTable = defineTable<BrowseRow>('catalogue');
export const searchRowsTable = defineTable<SearchRow>('catalogue');

const pickFacts = (version: PackageListItem): RowFacts => ({
  n: version.name,
  v: version.version,
  ...(version.license !== null && { l: version.license }),
  c: toFacet(version),
});

/** A version as the filters of lists see it. */
type Listed = Pick<CatalogueVersion, 'sequence' | 'ecosystem' | 'status'>;

/** Returns the keys of a version's rows in the lists of its status, with and without its ecosystem. */
export const toStatusKeys = (
  { sequence, ecosystem, status }: Listed,
  layout: CatalogueLayout,
): CatalogueKey[] =>
  [{ status }, { ecosystem, status }].map((filter) => toBrowseKey(sequence, filter, layout));

/** Returns the browse rows of a version: the one of the list without a filter, and then one for each filter. */
const makeBrowseRows = (
  version: CatalogueVersion,
  layout: CatalogueLayout,
): [BrowseRow, ...BrowseRow[]] => {
  const { sequence, ecosystem } = version;
  const facts = pickFacts(version);
  const rows = [toBrowseKey(sequence, { ecosystem }, layout), ...toStatusKeys(version, layout)];
  return [
    { ...toBrowseKey(sequence, {}, layout), ...facts },
    ...rows.map((key) => ({ ...key, ...facts })),
  ];
};

/** Returns the part of a text for the partition key, and the rest for the sort key. */
export const cutText = (text: string, startsName: boolean): [beginning: string, rest: string] => {
  const points = [...text];
  const length = startsName ? 1 : minSubstringLength;
  return [points.slice(0, length).join(''), points.slice(length).join('')];
};

/** Returns the search rows of a version. Their keys are distinct. */
const makeSearchRows = (version: CatalogueVersion, layout: CatalogueLayout): SearchRow[] => {
  const shard = findSearchShard(version.sequence, layout);
  const facts = pickFacts(version);
  const row = (text: string, startsName: boolean): SearchRow => {
    const [beginning, rest] = cutText(text, startsName);
    return {
      p: toSearchPartition(shard, beginning, startsName),
      o: `${rest}${formatSequenceNumber(version.sequence)}`,
      ...facts,
    };
  };
  return [
    row(cutNameBeginning(version), true),
    ...listSearchTexts(version).map((text) => row(text, false)),
  ];
};

/** Returns all rows of a version, the browse row without a filter first. */
export const makeRows = (
  version: CatalogueVersion,
  layout: CatalogueLayout,
): [BrowseRow, ...CatalogueRow[]] => [
  ...makeBrowseRows(version, layout),
  ...makeSearchRows(version, layout),
];

const sequenceWidth = formatSequenceNumber(0).length;

/** Returns the sequence number at the end of a row's position. */
export const readSequenceNumber = ({ o }: CatalogueKey): number =>
  parseSequenceNumber(o.slice(-sequenceWidth));

/** Returns the text before the sequence number in a search row's position: the rest of the search text. */
export const readRest = ({ o }: CatalogueKey): string => o.slice(0, -sequenceWidth);

/** Returns the list item of a row. */
export const readRow = ({ n, v, l, c }: RowFacts): PackageListItem => {
  const { ecosystem, status } = describeFacet(c);
  return { name: n, version: v, ecosystem, status, license: l ?? null };
};
