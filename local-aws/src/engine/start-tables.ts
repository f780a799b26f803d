/** DynamoDB tables without a stack, for tests of storage code. */
import type { Table } from '../template/model.ts';
import { region } from '../template/names.ts';
import { makeAccessKeyId, toCredentials } from './address.ts';
import { prepareTables } from './align-tables.ts';
import { startEngine } from './dynamodb-engine.ts';

export interface TablesOptions {
  /** Database file, which may already contain the tables. Absent: in memory. */
  readonly file?: string;
  /** Called when the engine ends unexpectedly. */
  readonly onFailure?: (error: Error) => void;
}

/** Running engine, with the settings of a DynamoDB client. */
export interface RunningTables {
  /** URL of the engine, such as `http://127.0.0.1:8000`. */
  readonly endpoint: string;
  readonly region: string;
  readonly credentials: { readonly accessKeyId: string; readonly secretAccessKey: string };
  close(): Promise<void>;
}

/**
 * Starts an engine with exactly these tables.
 * @throws {StartError} if there is no engine for this platform, or if the file contains other tables
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
