/** DynamoDB tables by themselves, without a stack around them: for tests of what reads and writes them. */
import type { Table } from '../template/model.ts';
import { region } from '../template/names.ts';
import { makeAccessKeyId, toCredentials } from './address.ts';
import { startEngine } from './dynamodb-engine.ts';
import { prepareTables } from './tables.ts';

export interface TablesOptions {
  /** The database file, with the tables in it or not yet; absent: in memory. */
  readonly file?: string;
  /** Called when the engine ends by itself. */
  readonly onFailure?: (error: Error) => void;
}

/** A running engine, and what a DynamoDB client needs to reach it. */
export interface RunningTables {
  /** Such as `http://127.0.0.1:8000`. */
  readonly endpoint: string;
  readonly region: string;
  readonly credentials: { readonly accessKeyId: string; readonly secretAccessKey: string };
  close(): Promise<void>;
}

/**
 * Starts an engine that holds these tables and no others.
 * @throws {StartError} when there is no engine for this platform, or when the file holds other tables
 */
export const startTables = async (
  tables: readonly Table[],
  { file, onFailure = () => undefined }: TablesOptions = {},
): Promise<RunningTables> => {
  const engine = await startEngine({ ...(file !== undefined && { file }), onFailure });
  const address = { endpoint: engine.endpoint, accessKeyId: makeAccessKeyId() };
  try {
    await prepareTables(tables, { engine: address, shared: false });
  } catch (error) {
    await engine.stop();
    throw error;
  }
  return {
    endpoint: engine.endpoint,
    region,
    credentials: toCredentials(address),
    close: engine.stop,
  };
};
