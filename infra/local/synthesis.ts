/** Synthesises the stack for a local run, with the settings and resource types that work there. */
import { existsSync } from 'node:fs';
import { resolve } from 'node:path';
import { StartError, type SynthesisOptions, synthesise } from '@package-registry/local-aws';
import { parseSettings } from '../config.ts';
import { SettingsError } from '../settings-error.ts';
import { readStage } from '../stage.ts';

type GivenSettings = Readonly<Record<string, string>>;

/**
 * Settings that a local run ignores. It does not have the resources of an AWS account, and uses the proxy and the certificates of
 * the machine.
 */
const onlyInAws = [
  'restoredTables',
  'restoredStreams',
  'vpcEndpointIds',
  'subnetIds',
  'securityGroupIds',
  'proxyUrl',
  'noProxy',
  'caCertificates',
  'upstreamSecretArn',
  'kmsKeyArn',
] as const;

/** Returns the settings of the command line, which win over a stage: a local run of it is for development. */
const makeContext = (settings: GivenSettings) => ({
  environment: 'development',
  ...settings,
  ...Object.fromEntries(onlyInAws.map((name) => [name, undefined])),
});

/** Returns the settings, from the command line and its stage, that a local run ignores. */
export const listLeftOut = (settings: GivenSettings): string[] =>
  onlyInAws.filter((name) => Object.hasOwn(readStage(settings).context, name));

/**
 * Checks the settings of a local run, from the command line and its stage, before the synthesis, which takes seconds.
 * @throws {StartError} with a line for each wrong setting
 */
export const checkSettings = (settings: GivenSettings): void => {
  try {
    parseSettings(makeContext(settings));
  } catch (error) {
    if (!(error instanceof SettingsError)) throw error;
    throw new StartError(error.message.replaceAll(/^/gm, 'Wrong setting: '), { cause: error });
  }
};

/** The resource types that a local run leaves out: it has no event bus and no webhook. */
export const goWithout = [
  'AWS::Events::ApiDestination',
  'AWS::Events::Connection',
  'AWS::Events::EventBus',
  'AWS::Pipes::Pipe',
];

/** The files and folders that the stack is made of. Without a change in them, synthesis is skipped. */
export const inputs: readonly string[] = [
  ...['infra', 'functions', 'shared', 'cli', 'console', 'web'],
  ...['package.json', 'package-lock.json'],
];

/** Returns the files that settings name, such as a policy. */
const listNamedFiles = (project: string, context: object): string[] =>
  Object.values(context)
    .filter((value) => typeof value === 'string')
    .filter((value) => existsSync(resolve(project, value)));

/**
 * Synthesises the stack if code or settings have changed. Resolves to whether they had.
 * @throws {StartError} with the app's error output when it fails
 */
export const synthesiseRegistry = (
  options: Omit<SynthesisOptions, 'context' | 'inputs'>,
  settings: GivenSettings = {},
): Promise<boolean> => {
  // The app would read the stage again, with the settings that a local run ignores.
  const { stage: _, ...context } = readStage(makeContext(settings)).context;
  const named = listNamedFiles(options.project, context);
  return synthesise({ ...options, context, inputs: [...inputs, ...named] });
};
