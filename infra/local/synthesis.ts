/** What the registry that runs here is synthesised with, and what of it does not run here. */
import { existsSync } from 'node:fs';
import { resolve } from 'node:path';
import { StartError, type SynthesisOptions, synthesise } from 'local-aws';
import cdkJson from '../../cdk.json' with { type: 'json' };
import { parseSettings, SettingsError } from '../config.ts';

type GivenSettings = Readonly<Record<string, string>>;

/** Settings that name parts of a network or of an account, of which there are none on this machine. */
const inAwsAlone = ['restoredTables', 'restoredStreams', 'vpcEndpointIds'] as const;

const makeContext = (settings: GivenSettings) => ({
  environment: 'development',
  ...settings,
  ...Object.fromEntries(inAwsAlone.map((name) => [name, undefined])),
});

/** Returns the given settings, those of cdk.json included, that a local run leaves out. */
export const listLeftOut = (settings: GivenSettings): string[] =>
  inAwsAlone.filter((name) => Object.hasOwn({ ...cdkJson.context, ...settings }, name));

/**
 * Checks the settings that a local run would have, those of cdk.json included, in a moment: synthesis takes seconds.
 * @throws {StartError} with a line for each wrong setting
 */
export const checkSettings = (settings: GivenSettings): void => {
  try {
    parseSettings({ ...cdkJson.context, ...makeContext(settings) });
  } catch (error) {
    if (!(error instanceof SettingsError)) throw error;
    throw new StartError(error.message.replaceAll(/^/gm, 'Wrong setting: '), { cause: error });
  }
};

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

/** The files that settings name, such as a policy elsewhere. */
const listNamedFiles = (project: string, context: object): string[] =>
  Object.values(context)
    .filter((value) => typeof value === 'string')
    .filter((value) => existsSync(resolve(project, value)));

/**
 * Resolves to whether anything had to be done: the same code and settings make the same stack.
 * @throws {StartError} with the app's own words when it fails
 */
export const synthesiseRegistry = (
  options: Omit<SynthesisOptions, 'context' | 'inputs'>,
  settings: GivenSettings = {},
): Promise<boolean> => {
  const context = makeContext(settings);
  const named = listNamedFiles(options.project, { ...cdkJson.context, ...context });
  return synthesise({ ...options, context, inputs: [...inputs, ...named] });
};
