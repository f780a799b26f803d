/** Makes a database of many package versions in seconds, where submitting them one by one would take hours. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import {
  createWriteStream,
  mkdirSync,
  readdirSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { text } from 'node:stream/consumers';
import { pipeline } from 'node:stream/promises';
import { createGzip, type Gzip } from 'node:zlib';
import { DescribeTableCommand } from '@aws-sdk/client-dynamodb';
import { marshall } from '@aws-sdk/util-dynamodb';
import { startWatchdog } from '../../infra/local/engine/watchdog.ts';
import { tableName } from '../../shared/config/env.ts';
import { dynamodb, type Item } from '../../shared/store/dynamodb.ts';
import { startEngine } from '../support/engine.ts';
import type { RealisticPackage } from '../support/realistic-packages.ts';
import { type StoredTable, storedItems, storedTables } from './stored-registry.ts';

/** First all versions are exported, then the engine's import grows the database. */
export interface LoadProgress {
  readonly exportedVersions: number;
  readonly importedBytes: number;
}

export interface LoadOptions {
  /** The database file to make. Its folder is made too, and used for what is needed meanwhile. */
  readonly file: string;
  readonly packages: Iterable<RealisticPackage>;
  /** Called every now and then. */
  readonly onProgress?: (progress: LoadProgress) => void;
}

const versionsBetweenReports = 1000;
const reportMs = 500;
/** Fast rather than small: the export lives for minutes. */
const compressionLevel = 1;

/** The tables' definitions as the engine's import takes them: the way an engine describes them. */
const writeSchema = async (file: string): Promise<void> => {
  const engine = await startEngine();
  try {
    const answers = await Promise.all(
      storedTables.map((id) =>
        dynamodb.send(new DescribeTableCommand({ TableName: tableName(id) })),
      ),
    );
    writeFileSync(file, JSON.stringify(answers.map(({ Table }) => ({ Table }))));
  } finally {
    await engine.close();
  }
};

interface ExportedTable {
  readonly id: StoredTable;
  readonly lines: Gzip;
  readonly written: Promise<void>;
}

/** Laid out as DynamoDB exports a table. */
const openTable = (folder: string, id: StoredTable): ExportedTable => {
  const data = join(folder, tableName(id), 'data');
  mkdirSync(data, { recursive: true });
  const lines = createGzip({ level: compressionLevel });
  return { id, lines, written: pipeline(lines, createWriteStream(join(data, '0.json.gz'))) };
};

const linesOf = (items: readonly Item[]): string =>
  items.map((item) => `${JSON.stringify({ Item: marshall(item) })}\n`).join('');

const writeExport = async (
  folder: string,
  { packages, onProgress }: LoadOptions,
): Promise<number> => {
  const tables = storedTables.map((id) => openTable(folder, id));
  let exportedVersions = 0;
  for (const items of storedItems(packages)) {
    for (const { id, lines } of tables) {
      if (!lines.write(linesOf(items[id]))) await once(lines, 'drain');
    }
    exportedVersions += 1;
    if (exportedVersions % versionsBetweenReports === 0) {
      onProgress?.({ exportedVersions, importedBytes: 0 });
    }
  }
  for (const { lines } of tables) lines.end();
  await Promise.all(tables.map(({ written }) => written));
  return exportedVersions;
};

/** While it lasts, what an import has written stands next to its output, under another name. */
const bytesIn = (folder: string): number =>
  readdirSync(folder)
    .map((name) => statSync(join(folder, name), { throwIfNoEntry: false })?.size ?? 0)
    .reduce((total, size) => total + size, 0);

const importer = (): string =>
  createRequire(import.meta.url).resolve(`@dynoxide/${process.platform}-${process.arch}/dynoxide`);

const runImport = async (args: readonly string[], onReport: () => void): Promise<void> => {
  const watchdog = startWatchdog();
  const child = spawn(importer(), ['import', ...args], { stdio: ['ignore', 'ignore', 'pipe'] });
  watchdog.guard(child);
  const timer = setInterval(onReport, reportMs);
  try {
    const [said, [code]] = await Promise.all([text(child.stderr), once(child, 'exit')]);
    if (code !== 0) throw new Error(`the engine's import failed: ${said.trim()}`);
  } finally {
    clearInterval(timer);
    watchdog.close();
  }
};

/** Loads the versions through the engine's import, which takes a sixth of the time that batches of writes take. */
export const bulkLoad = async (options: LoadOptions): Promise<void> => {
  const { file, onProgress } = options;
  const folder = dirname(file);
  const source = join(folder, 'export');
  const schema = join(folder, 'schema.json');
  mkdirSync(folder, { recursive: true });
  await writeSchema(schema);
  const exportedVersions = await writeExport(source, options);
  await runImport(['--source', source, '--schema', schema, '--output', file], () =>
    onProgress?.({ exportedVersions, importedBytes: bytesIn(folder) }),
  );
  rmSync(source, { recursive: true });
  rmSync(schema);
};
