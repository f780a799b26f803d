import { mkdtempSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { LambdaFunction, StackModel } from '@package-registry/local-aws';

type Environment = Readonly<Record<string, string>>;

/** The Node.js option that loads a file of this folder before a program. */
const importing = (file: string): string =>
  `--import=${pathToFileURL(join(import.meta.dirname, file)).href}`;

/** The environment of a program that skips its pauses. */
export const withoutPauses: Environment = { NODE_OPTIONS: importing('skip-pauses.ts') };

/** The environment variable that loads a file of this folder before a function's code. */
export const preloading = ({ environment }: LambdaFunction, file: string): Environment => ({
  NODE_OPTIONS: [environment['NODE_OPTIONS'] ?? [], importing(file)].flat().join(' '),
});

/** The timeout of an endpoint in the stack, in seconds. */
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

/** Makes the functions skip their pauses, and count them as elapsed time. */
export const skippingPauses = (model: StackModel): StackModel =>
  addToFunctions(model, (one) => preloading(one, 'skip-pauses.ts'));

/**
 * Makes the functions skip their pauses, and gives them the timeout of an endpoint in Lambda: retries until the deadline end
 * at once.
 */
export const endingSoon = (model: StackModel): StackModel =>
  changeFunctions(skippingPauses(model), (one) => ({ ...one, timeoutSeconds: lambdaSeconds }));

/** Names the file in the environment of a function. */
export const clockVariable = 'MOVED_CLOCK';

/** The clock of a registry's functions. It runs by itself, and a test can advance it. */
export class FunctionClock {
  private readonly folder = mkdtempSync(join(tmpdir(), 'function-clock-'));
  private readonly file = join(this.folder, 'moved-by-ms');
  private movedByMs = 0;

  constructor() {
    this.pass(0);
  }

  /** Makes the functions of a stack use this clock. */
  readonly transform = (model: StackModel): StackModel =>
    addToFunctions(model, (one) => ({
      ...preloading(one, 'move-date.ts'),
      [clockVariable]: this.file,
    }));

  /** The functions' time after this number of milliseconds. */
  at(ms: number): string {
    return new Date(Date.now() + this.movedByMs + ms).toISOString();
  }

  /** Advances the clock by this number of milliseconds. */
  pass(ms: number): void {
    this.movedByMs += ms;
    // A rename is atomic: a function reads the old time or the new one.
    writeFileSync(`${this.file}.new`, String(this.movedByMs));
    renameSync(`${this.file}.new`, this.file);
  }

  remove(): void {
    rmSync(this.folder, { recursive: true });
  }
}
