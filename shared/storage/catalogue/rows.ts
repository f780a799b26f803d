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
  toBrowsePositions,
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
}

/** Row in submission order. */
export interface BrowseRow extends CatalogueKey, RowFacts {
  readonly e: string;
  readonly s: string;
  readonly b: string;
}

/** Row in text order, for one text by which the search finds the version. */
export interface SearchRow extends CatalogueKey, RowFacts {
  readonly c: Facet;
}

export type CatalogueRow = BrowseRow | SearchRow;

export const rowsTable = defineTable<CatalogueRow>('catalogue');
export const browseRowsTable = defineTable<BrowseRow>('catalogue');
export const searchRowsTable = defineTable<SearchRow>('catalogue');

const pickFacts = ({ name, version, license }: PackageListItem): RowFacts => ({
  n: name,
  v: version,
  ...(license !== null && { l: license }),
});

const makeBrowseRow = (version: CatalogueVersion, layout: CatalogueLayout): BrowseRow => ({
  ...toBrowseKey(version.sequence, layout),
  ...toBrowsePositions(version.sequence, { ...version, cell: toFacet(version) }),
  ...pickFacts(version),
});

/** Returns the part of a text for the partition key, and the rest for the sort key. */
export const cutText = (text: string, startsName: boolean): [beginning: string, rest: string] => {
  const points = [...text];
  const length = startsName ? 1 : minSubstringLength;
  return [points.slice(0, length).join(''), points.slice(length).join('')];
};

/** Returns the search rows of a version. Their keys are distinct. */
const makeSearchRows = (version: CatalogueVersion, layout: CatalogueLayout): SearchRow[] => {
  const shard = findSearchShard(version.sequence, layout);
  const facts = { ...pickFacts(version), c: toFacet(version) };
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

/** Returns all rows of a version, the browse row first. */
export const makeRows = (
  version: CatalogueVersion,
  layout: CatalogueLayout,
): [BrowseRow, ...SearchRow[]] => [
  makeBrowseRow(version, layout),
  ...makeSearchRows(version, layout),
];

const sequenceWidth = formatSequenceNumber(0).length;

/** Returns the sequence number at the end of a row's position. */
export const readSequenceNumber = ({ o }: CatalogueKey): number =>
  parseSequenceNumber(o.slice(-sequenceWidth));

/** Returns the text before the sequence number in a search row's position: the rest of the search text. */
export const readRest = ({ o }: CatalogueKey): string => o.slice(0, -sequenceWidth);

const toItem = ({ n, v, l }: RowFacts, cell: Facet): PackageListItem => {
  const { ecosystem, status } = describeFacet(cell);
  return { name: n, version: v, ecosystem, status, license: l ?? null };
};

/** Returns the facet of a row's version. */
export const readFacet = (row: CatalogueRow): Facet => ('b' in row ? row.b.slice(0, 1) : row.c);

export const readBrowseRow = (row: BrowseRow): PackageListItem => toItem(row, readFacet(row));

export const readSearchRow = (row: SearchRow): PackageListItem => toItem(row, row.c);
