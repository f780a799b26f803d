/** Address of a DynamoDB engine, and the access key of its callers. */
import { randomBytes } from 'node:crypto';

export interface EngineAddress {
  /** URL of the engine, such as `http://127.0.0.1:8000`. */
  readonly endpoint: string;
  /**
   * Access key. No engine checks it, but DynamoDB Local has a database for each key. It may contain only letters and
   * digits.
   */
  readonly accessKeyId: string;
}

/** Returns a random access key, and thereby a new database in DynamoDB Local. */
export const makeAccessKeyId = (): string => `local${randomBytes(8).toString('hex')}`;

/** Returns credentials for the SDK. */
export const toCredentials = ({ accessKeyId }: Pick<EngineAddress, 'accessKeyId'>) => ({
  accessKeyId,
  secretAccessKey: 'local',
});
