/** Creates a database from tables exported from DynamoDB, many times faster than with writes. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { text } from 'node:stream/consumers';
import { guardChild } from '../watchdog/watchdog.ts';
import { EngineError, findEngineCommand } from './dynamodb-engine.ts';

export interface ImportOptions {
  /** Folder with the layout of DynamoDB's exports to S3: `<table name>/data/*.json.gz`. */
  readonly source: string;
  /** JSON file with a list of DescribeTable responses, one for each table. */
  readonly schema: string;
  /** Database file to create. */
  readonly output: string;
}

/** @throws {EngineError} with the engine's error output if the import fails */
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
