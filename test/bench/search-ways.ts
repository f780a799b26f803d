/**
 * `npm run bench:search -- TERM`: the read units of a strongly consistent search in the first shard of search rows, with the current layout and with
 * alternatives. It loads no data: it adds up the bytes that DynamoDB charges for.
 */
import { gzipSync } from 'node:zlib';
import { toSearchPartition } from '../../shared/storage/catalogue/catalogue-keys.ts';
import { defaultLayout } from '../../shared/storage/catalogue/layout.ts';
import {
  makeRows,
  readRest,
  readSequenceNumber,
  type SearchRow,
} from '../../shared/storage/catalogue/rows.ts';
import { realisticPackages } from '../support/realistic-packages.ts';

const versions = 2 ** defaultLayout.searchShardBits - 1;
/** The beginning of a partition's name, before its text. */
const shardWidth = toSearchPartition(0, '', false).length;
const unitBytes = 4096;
const rowsInPack = 2000;
const bitsInByte = 8;

const term = process.argv[2] ?? 'plugin';

const measureItem = (item: object): number =>
  Object.entries(item).reduce(
    (sum, [name, value]) => sum + name.length + Buffer.byteLength(value),
    0,
  );

const sumBytes = (items: readonly { readonly length: number }[]): number =>
  items.reduce((sum, { length }) => sum + length, 0);

function* findRows(): Generator<SearchRow> {
  let sequence = 0;
  for (const { submission, decision } of realisticPackages(versions)) {
    sequence += 1;
    const { license = null, description = null } = submission;
    const status = decision?.to ?? 'pending';
    const [, ...rows] = makeRows(
      { ...submission, license, description, status, sequence },
      defaultLayout,
    );
    for (const row of rows)
      if (`${row.p.slice(shardWidth)}${readRest(row)}`.startsWith(term)) yield row;
  }
}

const rows = [...findRows()];
const sequences = new Set(rows.map(readSequenceNumber));
const positions = rows.map(({ o, c }) => `${o}${c}`).sort();
const packs = Array.from({ length: Math.ceil(positions.length / rowsInPack) }, (_, at) =>
  gzipSync(positions.slice(at * rowsInPack, (at + 1) * rowsInPack).join('\n')),
);
const bitmap = Buffer.alloc((versions + 1) / bitsInByte);
for (const sequence of sequences) {
  const at = Math.floor(sequence / bitsInByte);
  bitmap.writeUInt8(bitmap.readUInt8(at) | (1 << (sequence % bitsInByte)), at);
}

const ways: readonly (readonly [way: string, bytes: number])[] = [
  ['rows as they are', rows.reduce((sum, row) => sum + measureItem(row), 0)],
  [
    'rows without name, version, license',
    rows.reduce((sum, { p, o, c }) => sum + measureItem({ p, o, c }), 0),
  ],
  [`${rowsInPack} rows packed in one item`, sumBytes(packs)],
  ['a bitmap of the versions, packed', gzipSync(bitmap).length],
];
process.stdout.write(
  `${term}: ${sequences.size} of ${versions} versions, in ${rows.length} places\n`,
);
for (const [way, bytes] of ways) {
  process.stdout.write(
    `${way.padEnd(40)}${String(Math.ceil(bytes / unitBytes)).padStart(6)} units\n`,
  );
}
