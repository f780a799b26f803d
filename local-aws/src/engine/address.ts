/** Where a DynamoDB engine answers, and as whom it is asked. */
import { randomBytes } from 'node:crypto';

export interface EngineAddress {
  /** Such as `http://127.0.0.1:8000`. */
  readonly endpoint: string;
  /** No engine checks it, but DynamoDB Local keeps a database of its own for each. It takes letters and digits alone. */
  readonly accessKeyId: string;
}

/** The name of a database that nobody else uses. */
export const makeAccessKeyId = (): string => `local${randomBytes(8).toString('hex')}`;

/** What the SDK needs. */
export const toCredentials = ({ accessKeyId }: Pick<EngineAddress, 'accessKeyId'>) => ({
  accessKeyId,
  secretAccessKey: 'local',
});
