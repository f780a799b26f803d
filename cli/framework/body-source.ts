import { Argument, Option } from 'commander';
import { isObject, type JsonObject } from '../../shared/util/json.ts';
import { readJsonInput } from '../input/files.ts';
import { UsageError } from '../input/usage-error.ts';
import type { Invocation } from './command.ts';

/** Where the body of a request comes from, besides flags. */
export interface BodySource {
  readonly arguments?: readonly Argument[];
  readonly options?: readonly Option[];
  /** Whether it is the whole body, so that no field has a flag. */
  readonly isWhole: boolean;
  /** The end of the message about a missing flag: how else the field can be given. */
  readonly alternative: string;
  /**
   * Reads the body, or the fields of the body that flags may replace.
   * @throws {UsageError} if it cannot be read
   */
  readonly read: (invocation: Invocation) => Promise<unknown>;
}

/**
 * Reads a JSON object from a file; no fields without a file.
 * @throws {UsageError} if the file holds anything else
 */
const readJsonFields = async (file: unknown): Promise<JsonObject> => {
  if (typeof file !== 'string') return {};
  const value = await readJsonInput(file);
  if (!isObject(value)) throw new UsageError(`${file} must hold a JSON object.`);
  return value;
};

/** A file with the whole body, as the last argument. */
export const jsonFileArgument: BodySource = {
  arguments: [new Argument('<file>', 'a file with JSON, - for standard input')],
  isWhole: true,
  alternative: '',
  read: ({ arguments: given }) => readJsonInput(given.at(-1) ?? '-'),
};

/** A file with fields of the body, by `--file`. */
export const jsonFileOption: BodySource = {
  options: [
    new Option(
      '--file <file>',
      'read the request from a JSON file, - for standard input; flags override it',
    ),
  ],
  isWhole: false,
  alternative: ', or by --file',
  read: ({ flags: { file } }) => readJsonFields(file),
};
