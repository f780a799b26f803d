import { InvalidArgumentError, Option } from 'commander';
import { wholeNumber } from '../../shared/api/schemas/query.ts';
import type { JsonObject } from '../../shared/util/json.ts';
import { flagDescriptions, flagLetters, flagNames } from './flag-descriptions.ts';
import type { Field } from './schema-fields.ts';

/**
 * Reads the text after a flag into fields of the request.
 * @throws {InvalidArgumentError} for text that the flag does not take
 */
export type FlagParser = (text: string) => JsonObject;

/** How a query parameter or a field of the body becomes a flag, where its schema alone does not say it. */
export interface FlagDefinition {
  /** The flag without dashes; that of `flag-descriptions.ts` or the field's name unless given. */
  readonly name?: string;
  /** The text of the help; that of `flag-descriptions.ts` unless given. */
  readonly description?: string;
  /** The field has no flag. */
  readonly hidden?: true;
  /** The command needs the field, although the API does not. */
  readonly required?: true;
  /** Another field, without which this one is refused. */
  readonly needs?: string;
  readonly parse?: FlagParser;
}

/** A query parameter or a field of the body, as a flag. */
export interface Flag extends Field {
  /** The flag as it is typed, such as `--expires`. */
  readonly typed: string;
  /** Its letter, such as `-s`. */
  readonly short: string | undefined;
  readonly description: string;
  /** Another field, without which this one is refused. */
  readonly needs: string | undefined;
  /** Reads the text into fields, where it is more than the value of its own field. */
  readonly parse: FlagParser | undefined;
}

type FlagDefinitions = Readonly<Record<string, FlagDefinition | undefined>>;

const findShort = (name: string): string | undefined =>
  flagLetters[name] && `-${flagLetters[name]}`;

/** Returns the flags of fields, without those that the command hides. */
export const toFlags = (fields: readonly Field[], definitions: FlagDefinitions): Flag[] =>
  fields.flatMap((field) => {
    const definition = definitions[field.name] ?? {};
    if (definition.hidden) return [];
    const typed = definition.name ?? flagNames[field.name] ?? field.name.replaceAll('_', '-');
    return {
      ...field,
      required: field.required || definition.required === true,
      typed: `--${typed}`,
      short: findShort(field.name),
      description: definition.description ?? flagDescriptions[field.name] ?? '',
      needs: definition.needs,
      parse: definition.parse,
    };
  });

const parseWholeNumber = (text: string): number => {
  if (!wholeNumber.test(text)) throw new InvalidArgumentError('It must be a whole number.');
  return Number(text);
};

/** Adds comma-separated choices to those that were given before. */
const addChoices =
  (typed: string, choices: readonly string[]) =>
  (text: string, before: unknown): readonly string[] => {
    const given = text.split(',').map((choice) => choice.trim());
    const unknown = given.find((choice) => !choices.includes(choice));
    if (unknown === undefined) {
      return [...new Set([...(Array.isArray(before) ? before : []), ...given])];
    }
    throw new InvalidArgumentError(
      `"${unknown}" is none of ${choices.join(', ')}. Put the package before ${typed}.`,
    );
  };

/** The placeholder after a flag: nothing, a value, or an optional list. */
const describeValue = ({ kind, choices }: Flag): string => {
  if (kind !== 'flag') return ` <${kind}>`;
  return choices ? ' [list]' : '';
};

/** Returns the commander option of a flag. */
export const toOption = (flag: Flag): Option => {
  const { typed, short, kind, choices, nullable, description, parse } = flag;
  const names = short ? `${short}, ${typed}` : typed;
  const option = new Option(`${names}${describeValue(flag)}`, description);
  if (choices) option.choices(nullable ? [...choices, 'null'] : choices);
  if (choices && kind === 'flag') option.argParser(addChoices(typed, choices));
  if (kind === 'number') option.argParser(parseWholeNumber);
  if (parse) option.argParser(parse);
  return option;
};

/** Returns the options of flags. A boolean flag also has its opposite, which the help leaves out. */
export const toOptions = (flags: readonly Flag[]): Option[] =>
  flags.flatMap((flag) => {
    if (flag.kind !== 'flag') return [toOption(flag)];
    const opposite = flag.typed.replace(/^--/, '--no-');
    return [toOption(flag), new Option(opposite, 'the opposite').hideHelp()];
  });

export const allPagesOption = new Option('-a, --all', 'read every page');

/** The options of every command that writes. */
export const writeOptions: readonly Option[] = [
  new Option('--dry-run', 'show the request and send nothing'),
  new Option('--idempotency-key <key>', 'carry out requests with this key only once'),
];
