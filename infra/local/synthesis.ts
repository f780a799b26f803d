/** What the registry that runs here is synthesised with, and what of it does not run here. */
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { type SynthesisOptions, synthesise } from 'local-aws';
import cdkJson from '../../cdk.json' with { type: 'json' };

/** Development settings. Tables that were restored in AWS are not here. */
const context = { environment: 'development', restoredTables: undefined };

/** Nothing is brought to the bus here, nor to a webhook: whoever wants events asks for them. */
export const goWithout = [
  'AWS::Events::ApiDestination',
  'AWS::Events::Connection',
  'AWS::Events::EventBus',
  'AWS::Pipes::Pipe',
];

/** What the stack is made of: its own code, what it hands out, and the packages that are bundled with it. */
export const inputs: readonly string[] = [
  ...['infra', 'functions', 'shared', 'cli', 'console', 'web'],
  ...['package.json', 'package-lock.json'],
];

/** The files that settings in cdk.json name, such as a policy elsewhere. */
const listNamedFiles = (project: string): string[] =>
  Object.values(cdkJson.context)
    .filter((value) => typeof value === 'string')
    .filter((value) => existsSync(join(project, value)));

/**
 * Resolves to whether anything had to be done: the same code makes the same stack.
 * @throws {StartError} with the app's own words when it fails
 */
export const synthesiseRegistry = (
  options: Omit<SynthesisOptions, 'context' | 'inputs'>,
): Promise<boolean> =>
  synthesise({ ...options, context, inputs: [...inputs, ...listNamedFiles(options.project)] });
