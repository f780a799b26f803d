import type { SearchTerm } from '../../shared/domain/packages/search.ts';
import { isShortTerm } from '../../shared/domain/packages/search.ts';
import { toSearchPartition } from '../../shared/storage/catalogue/catalogue-keys.ts';
import { readRest, type SearchRow } from '../../shared/storage/catalogue/rows.ts';
import type { RealisticPackage } from '../support/realistic-packages.ts';
import { storedItems } from './stored-registry.ts';

/** A row's text for queries, and the bytes that DynamoDB charges for the row. */
interface SizedText {
  readonly text: string;
  readonly bytes: number;
}

/** The prefix of a partition's name, before its text. */
const shardWidth = toSearchPartition(0, '', false).length;

const sizeOf = (row: SearchRow): number =>
  Object.entries(row).reduce(
    (sum, [name, value]) => sum + name.length + Buffer.byteLength(value),
    0,
  );

/** Every search row of these versions, for a search without an index. */
export const searchTextsOf = (packages: Iterable<RealisticPackage>): SizedText[] => {
  const texts: SizedText[] = [];
  for (const { catalogue } of storedItems(packages)) {
    for (const row of catalogue as unknown as SearchRow[]) {
      if (!('c' in row)) continue;
      texts.push({ text: `${row.p.slice(shardWidth)}${readRest(row)}`, bytes: sizeOf(row) });
    }
  }
  return texts;
};

/** The rows that start with the term, or with its pypi spelling if that differs. */
export const rangesIn = (
  texts: readonly SizedText[],
  { text, foldedText }: SearchTerm,
): SizedText[][] =>
  [...new Set([text, foldedText])].map((sought) => {
    const beginning = isShortTerm(sought) ? `^${sought}` : sought;
    return texts.filter((row) => row.text.startsWith(beginning));
  });
