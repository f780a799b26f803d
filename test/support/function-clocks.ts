import { mkdtempSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { LambdaFunction, StackModel } from 'local-aws';

type Environment = Readonly<Record<string, string>>;

/** The option by which Node.js loads a file of this folder before a program. */
const importing = (file: string): string =>
  `--import=${pathToFileURL(join(import.meta.dirname, file)).href}`;

/** The environment of a program that skips its pauses. */
export const withoutPauses: Environment = { NODE_OPTIONS: importing('skip-pauses.ts') };

/** What has a function load a file of this folder before its code. */
export const preloading = ({ environment }: LambdaFunction, file: string): Environment => ({
  NODE_OPTIONS: [environment['NODE_OPTIONS'] ?? [], importing(file)].flat().join(' '),
});

/** The seconds that the stack gives an endpoint. */
const lambdaSeconds = 20;

const changeFunctions = (
  model: StackModel,
  change: (one: LambdaFunction) => LambdaFunction,
): StackModel => ({
  ...model,
  functions: Object.fromEntries(
    Object.entries(model.functions).map(([id, one]) => [id, change(one)]),
  ),
});

const addToFunctions = (model: StackModel, add: (one: LambdaFunction) => Environment): StackModel =>
  changeFunctions(model, (one) => ({ ...one, environment: { ...one.environment, ...add(one) } }));

/** Has the functions skip their pauses, and count them as time that has passed. */
export const skippingPauses = (model: StackModel): StackModel =>
  addToFunctions(model, (one) => preloading(one, 'skip-pauses.ts'));

/**
 * Has the functions skip their pauses, and gives them as much time as an endpoint has in Lambda: what they try again until
 * their time is over comes to its end at once.
 */
export const endingSoon = (model: StackModel): StackModel =>
  changeFunctions(skippingPauses(model), (one) => ({ ...one, timeoutSeconds: lambdaSeconds }));

/** Names the file in the environment of a function. */
export const clockVariable = 'MOVED_CLOCK';

/** The clock of a registry's functions. It goes on by itself, and further when a test says so. */
export class FunctionClock {
  private readonly folder = mkdtempSync(join(tmpdir(), 'function-clock-'));
  private readonly file = join(this.folder, 'moved-by-ms');
  private movedByMs = 0;

  constructor() {
    this.pass(0);
  }

  /** Has the functions of a stack go by this clock. */
  readonly transform = (model: StackModel): StackModel =>
    addToFunctions(model, (one) => ({
      ...preloading(one, 'move-date.ts'),
      [clockVariable]: this.file,
    }));

  /** The time in so many milliseconds, as the functions count it. */
  at(ms: number): string {
    return new Date(Date.now() + this.movedByMs + ms).toISOString();
  }

  /** Lets so many milliseconds pass. */
  pass(ms: number): void {
    this.movedByMs += ms;
    // A function reads the time before or the time after, and never half of it.
    writeFileSync(`${this.file}.new`, String(this.movedByMs));
    renameSync(`${this.file}.new`, this.file);
  }

  remove(): void {
    rmSync(this.folder, { recursive: true });
  }
}
