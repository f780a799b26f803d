import type { RegistryClient } from '../../shared/api/client/client.ts';
import type { RouteInput } from '../../shared/api/client/outgoing.ts';
import type { JsonObject } from '../../shared/util/json.ts';
import type { Output } from '../output/terminal.ts';
import type { Session } from '../session/session.ts';
import type { Settings } from '../session/settings.ts';

/**
 * Reads what was typed after a flag into fields.
 * @throws {InvalidArgumentError} for what makes no sense
 */
export type FlagReader = (text: string) => JsonObject;

/** A flag that has the command end with 1 where the answer is not good enough. */
interface Judge<Answer extends object> {
  readonly flag: string;
  readonly choices: readonly string[];
  readonly meaning: string;
  /** Why the answer is not good enough for what was given; undefined if it is. */
  findFault(answer: Answer, given: string): string | undefined;
}

/** A file that stands for many requests of a route, in place of its arguments. */
export interface BulkWords {
  /** The option that stands in place of arguments, and what goes with it; by their names what is typed and what it means. */
  readonly option: string;
  readonly options: Readonly<Record<string, readonly [typed: string, meaning: string]>>;
  run(flags: JsonObject, session: Session): Promise<void>;
}

/** What to warn of, once some items are done. */
export type FindWarning = (done: readonly JsonObject[]) => string | undefined;

/** How many packages are given at once, and the route that does with them what the command does with one. */
export interface ManyWords {
  readonly route: 'submitPackages' | 'decidePackages';
  /** The field of its body that lists them. */
  readonly list: 'packages' | 'decisions';
  /** What each of them says is to be done, where the route does several things. */
  readonly action?: 'approve' | 'reject';
  /** What a package has in lists that is no part of a request. */
  readonly drops: readonly string[];
  /** Asks beforehand what whoever gave the command has to be warned of. */
  watch?(items: readonly JsonObject[], client: RegistryClient): Promise<FindWarning>;
}

/** A list of which people choose the columns. */
export interface TableWords<Row extends object = object> {
  readonly names: readonly string[];
  /** As many of them as fit into 80 columns. */
  readonly byDefault: readonly string[];
  /** The cells of a row, by the heads of the columns. */
  toRow(row: Row, names: readonly string[], output: Output): JsonObject;
  /** What the registry has to be asked for these columns. */
  toQuery(names: readonly string[]): JsonObject;
}

/** What people read and type of a route; all else follows from the route table. */
export interface CommandWords<Answer extends object = object> {
  /** What is typed, such as `scan show`. */
  readonly command: string;
  /** What is typed in its place by who is used to other tools. */
  readonly aliases?: readonly string[];
  readonly examples: readonly string[];
  /** Whether the command does more than its request, and so says by itself what it takes. */
  readonly isOwn?: boolean;
  /** What a path parameter is, where it is no package. */
  readonly arguments?: Readonly<Record<string, string>>;
  /** Adds an argument after the others: the package that the body is about, if it is about one; its meaning. */
  readonly bodyPackage?: string;
  /** What a flag means, where it does not mean what it means elsewhere. */
  readonly flags?: Readonly<Record<string, string>>;
  /** How a flag is typed, where it is not typed like its field. */
  readonly typed?: Readonly<Record<string, string>>;
  /** Flags that would say the same as another. */
  readonly hidden?: readonly string[];
  /** How flags are read that do not say what their field says, or that stand for fields of other names: into those. */
  readonly read?: Readonly<Record<string, FlagReader>>;
  /** Fields that the command wants, though the registry could do without. */
  readonly required?: readonly string[];
  /** Fields that are only taken together with another one. */
  readonly needs?: Readonly<Record<string, string>>;
  /** The parameter that takes the `next` of a page, of a list that has no offsets. */
  readonly nextParameter?: 'before' | 'after';
  /** The columns of its tables, if not everything. */
  readonly columns?: readonly string[];
  /** The same where `--columns` chooses them. */
  readonly table?: TableWords;
  /** From where a body comes that is more than flags. */
  readonly body?: 'file option' | 'manifest option' | 'file argument';
  /** Takes from a body what a request can carry, and warns of what it leaves out. */
  readonly fit?: (body: unknown, warn: (text: string) => void) => Promise<unknown>;
  /** What the command does in place of one request. */
  run?(input: RouteInput, session: Session): Promise<void>;
  /** Many requests at once. */
  readonly bulk?: BulkWords;
  readonly many?: ManyWords;
  /** What an answer is called among several, of a command that may be about several packages. */
  readonly several?: 'package' | 'evidence';
  /** What a request's body lets expect, to be shown with it where it is not sent. */
  readonly foresee?: (body: JsonObject) => Promise<object>;
  /** What to show in place of the bare answer. */
  present?(answer: Answer, settings: Settings): object;
  /** What people read in place of one thing, or of each row of a list; programs get all as it is. */
  forPeople?(thing: object): object;
  /** The lines in which people read each row of a list, in place of a table. */
  toLines?(row: object, output: Output): readonly string[];
  /** The lines in which people read one thing, in place of its fields. */
  formatAnswer?(answer: Answer, output: Output): readonly string[];
  /** A flag by whose value the answer is judged. */
  readonly judge?: Judge<Answer>;
  /** What `--follow` does, if there is one: it goes on until the command is ended. */
  follow?(input: RouteInput, session: Session): Promise<void>;
  /** What whoever gave the command has to be warned of. */
  warn?(answer: Answer, client: RegistryClient): Promise<string | undefined> | string | undefined;
}
