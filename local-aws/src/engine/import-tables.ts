/** Makes a database of tables that were exported from DynamoDB, many times faster than writes could fill it. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { text } from 'node:stream/consumers';
import { guardChild } from '../watchdog/watchdog.ts';
import { EngineError, findEngineCommand } from './dynamodb-engine.ts';

export interface ImportOptions {
  /** A folder laid out as DynamoDB exports tables to S3: `<table name>/data/*.json.gz`. */
  readonly source: string;
  /** A JSON file with a list of what DescribeTable answers for each table. */
  readonly schema: string;
  /** The database file to make. */
  readonly output: string;
}

/** @throws {EngineError} with the engine's own words when it fails */
export const importTables = async ({ source, schema, output }: ImportOptions): Promise<void> => {
  const child = spawn(
    findEngineCommand(),
    ['import', '--source', source, '--schema', schema, '--output', output],
    { stdio: ['ignore', 'ignore', 'pipe'] },
  );
  guardChild(child);
  const [complaints, [code]] = await Promise.all([text(child.stderr), once(child, 'exit')]);
  if (code !== 0) throw new EngineError(`the engine's import failed: ${complaints.trim()}`);
};
