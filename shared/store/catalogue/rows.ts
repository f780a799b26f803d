import { minSubstringLength, nameBeginning, searchTexts } from '../../domain/search.ts';
import type { PackageListItem } from '../../schemas/package.ts';
import { ordinalKey } from '../keys.ts';
import { type Cell, cellOf, classOf } from './cells.ts';
import {
  browseKey,
  browsePositions,
  type CatalogueKey,
  searchPartition,
  searchShard,
} from './keys.ts';
import type { CatalogueLayout } from './layout.ts';

/** A package version as the catalogue knows it. */
export interface CatalogueVersion extends PackageListItem {
  readonly description: string | null;
  /** The place in the order of submissions. */
  readonly ordinal: number;
}

/** What every row says of its version, so that a page needs no second read. */
interface RowFacts {
  /** Name, version and license (absent: none). */
  readonly n: string;
  readonly v: string;
  readonly l?: string;
}

/** A row in the order of submissions. */
export interface BrowseRow extends CatalogueKey, RowFacts {
  readonly e: string;
  readonly s: string;
  readonly b: string;
}

/** A row in the order of texts, for one text by which search finds the version. */
export interface SearchRow extends CatalogueKey, RowFacts {
  readonly c: Cell;
}

const factsOf = ({ name, version, license }: PackageListItem): RowFacts => ({
  n: name,
  v: version,
  ...(license !== null && { l: license }),
});

export const browseRow = (version: CatalogueVersion, layout: CatalogueLayout): BrowseRow => ({
  ...browseKey(version.ordinal, layout),
  ...browsePositions(version.ordinal, { ...version, cell: cellOf(version) }),
  ...factsOf(version),
});

/** Cuts a text into the part that names its partition and the part that orders rows within. */
export const cutText = (text: string, startsName: boolean): [beginning: string, rest: string] => {
  const points = [...text];
  const length = startsName ? 1 : minSubstringLength;
  return [points.slice(0, length).join(''), points.slice(length).join('')];
};

/** Every row by which search finds the version; no two have the same key. */
export const searchRows = (version: CatalogueVersion, layout: CatalogueLayout): SearchRow[] => {
  const shard = searchShard(version.ordinal, layout);
  const facts = { ...factsOf(version), c: cellOf(version) };
  const row = (text: string, startsName: boolean): SearchRow => {
    const [beginning, rest] = cutText(text, startsName);
    return {
      p: searchPartition(shard, beginning, startsName),
      o: `${rest}${ordinalKey(version.ordinal)}`,
      ...facts,
    };
  };
  return [
    row(nameBeginning(version), true),
    ...searchTexts(version).map((text) => row(text, false)),
  ];
};

const ordinalWidth = ordinalKey(0).length;

/** The ordinal at the end of a row's position. */
export const ordinalOf = ({ o }: CatalogueKey): number =>
  Number.parseInt(o.slice(-ordinalWidth), 36);

/** What stands before the ordinal in a search row's position: the rest of its text. */
export const restOf = ({ o }: CatalogueKey): string => o.slice(0, -ordinalWidth);

const itemOf = ({ n, v, l }: RowFacts, cell: Cell): PackageListItem => {
  const { ecosystem, status } = classOf(cell);
  return { name: n, version: v, ecosystem, status, license: l ?? null };
};

/** The cell that a row's version is in. */
export const cellOfRow = (row: BrowseRow | SearchRow): Cell =>
  'b' in row ? row.b.slice(0, 1) : row.c;

export const itemOfBrowseRow = (row: BrowseRow): PackageListItem => itemOf(row, cellOfRow(row));

export const itemOfSearchRow = (row: SearchRow): PackageListItem => itemOf(row, row.c);
