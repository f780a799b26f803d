import { globSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { brotliCompressSync, brotliDecompressSync } from 'node:zlib';
import type { AttributeValue } from '@aws-sdk/client-dynamodb';
import type { TableId } from '../../shared/api/resources.ts';

/** Items of a table as DynamoDB answers them. */
export type Items = readonly Readonly<Record<string, AttributeValue>>[];

/** Response to a GET request. */
export interface ReadAnswer {
  readonly path: string;
  readonly status: number;
  /** JSON without the id of the request, or text. */
  readonly body: unknown;
}

/** Data that a release stored, with an item of every kind, and its answers about them. */
export interface ReleaseData {
  /** Version of the package, such as `0.1.0`. */
  readonly release: string;
  /** Number of the data format. */
  readonly format: number;
  /** Time of the answers, as an ISO date. */
  readonly recordedAt: string;
  readonly tables: Readonly<Record<TableId, Items>>;
  readonly answers: readonly ReadAnswer[];
}

const folder = join(import.meta.dirname, 'fixtures');

const toFile = (release: string): string => join(folder, `${release}.json.br`);

/** Keeps bytes as text, which JSON cannot do by itself. */
const encode = (_: string, value: unknown): unknown =>
  value instanceof Object && 'B' in value && value.B instanceof Uint8Array
    ? { base64: Buffer.from(value.B).toString('base64') }
    : value;

const decode = (_: string, value: unknown): unknown =>
  value instanceof Object && 'base64' in value && typeof value.base64 === 'string'
    ? { B: Buffer.from(value.base64, 'base64') }
    : value;

/** Writes the fixture of a release. */
export const writeFixture = (data: ReleaseData): void => {
  writeFileSync(toFile(data.release), brotliCompressSync(JSON.stringify(data, encode)));
};

/** Returns the size of a release's fixture in bytes. */
export const sizeOfFixture = (release: string): number => statSync(toFile(release)).size;

/** Returns the committed data of all releases. */
export const readFixtures = (): ReleaseData[] =>
  globSync('*.json.br', { cwd: folder })
    .sort()
    .map((name) =>
      JSON.parse(brotliDecompressSync(readFileSync(join(folder, name))).toString(), decode),
    );
