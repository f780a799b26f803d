/** The settings of a stage: a file in the project, which `-c stage=NAME` selects. */
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import * as z from 'zod';
import { SettingsError } from './settings-error.ts';

const root = join(import.meta.dirname, '..');

/** The folder with a file for each stage. */
const stagesFolder = join(root, 'infra/settings');

const defaultStackName = 'PackageRegistry';

/** Values by their names, as CDK hands them to the app. */
export type Context = Readonly<Record<string, unknown>>;

/** The context keys of `cdk acknowledge` and `cdk cli-telemetry` in cdk.context.json. */
const cliKeys = ['acknowledged-issue-numbers', 'cli-telemetry'];

/** Returns whether a context key names a setting: CDK's own keys have a colon or a slash. */
export const isSetting = (key: string): boolean => !/[:/]/.test(key) && !cliKeys.includes(key);

/** The settings of one deployment. It names what it loosens, once. */
const onlyInCommand = ['stage', 'loosen'];

/** The files from which CDK adds to the command line's context, and the place of the context in each. */
const contextSchemas: Readonly<Record<string, z.ZodType<Context>>> = {
  'cdk.json': z
    .looseObject({ context: z.looseObject({}).default({}) })
    .transform(({ context }) => context),
  'cdk.context.json': z.looseObject({}),
};

/**
 * Returns a problem for each setting in cdk.json and cdk.context.json. It would hide the settings of a stage, and `loosen` would
 * hold for every deployment.
 */
export const listMisplaced = (folder: string): string[] =>
  Object.entries(contextSchemas).flatMap(([file, schema]) => {
    const path = join(folder, file);
    const context = existsSync(path) ? schema.parse(JSON.parse(readFileSync(path, 'utf8'))) : {};
    return Object.keys(context)
      .filter(isSetting)
      .map((name) =>
        onlyInCommand.includes(name)
          ? `${name} is in ${file}: remove it, it is for one deployment: use -c`
          : `${name} is in ${file}: move it to the file of a stage in infra/settings, and deploy with -c stage=STAGE`,
      );
  });

const stageNames = (folder: string): string[] =>
  readdirSync(folder)
    .filter((name) => name.endsWith('.json'))
    .map((name) => name.slice(0, -'.json'.length))
    .sort();

const findFile = (stage: unknown, folder: string): string => {
  const names = stageNames(folder);
  if (typeof stage === 'string' && names.includes(stage)) return join(folder, `${stage}.json`);
  const place = relative(root, folder);
  throw new SettingsError(
    `stage must be the name of a file in ${place}, without .json; there ${names.length === 1 ? 'is' : 'are'} ${names.join(', ')}`,
  );
};

const readFile = (file: string): Context => {
  const name = relative(root, file);
  let json: unknown;
  try {
    json = JSON.parse(readFileSync(file, 'utf8'));
  } catch (error) {
    throw new SettingsError(
      `${name}: cannot be read: ${error instanceof Error ? error.message : error}`,
    );
  }
  const parsed = z.record(z.string(), z.unknown()).safeParse(json);
  if (!parsed.success) throw new SettingsError(`${name}: must be a JSON object of settings`);
  const wrong = Object.keys(parsed.data).flatMap((key) => {
    if (onlyInCommand.includes(key)) return [`${name}: ${key} is for one deployment: use -c`];
    return isSetting(key) ? [] : [`${name}: ${key} is no setting: it belongs to cdk.json`];
  });
  if (wrong.length > 0) throw new SettingsError(wrong.join('\n'));
  return parsed.data;
};

/** The settings of a deployment before they are checked. */
export interface StageSettings {
  /** Settings by name. The command line overrides the file. */
  readonly context: Context;
  /** Returns where a setting is, as the begin of a message. Empty without a stage, and for a setting of the command line. */
  readonly describeSource: (name: string) => string;
}

/**
 * Returns the settings of the command line and of the stage that it names, and `stage` itself. Each stage has a stack of its own,
 * `PackageRegistry-<stage>` unless a setting names it.
 * @throws {SettingsError} for an unknown stage, an unreadable file, or settings in cdk.json or cdk.context.json
 */
export const readStage = (
  { stage, ...context }: Context,
  folder: string = stagesFolder,
): StageSettings => {
  const misplaced = listMisplaced(root);
  if (misplaced.length > 0) throw new SettingsError(misplaced.join('\n'));
  if (stage === undefined) return { context, describeSource: () => '' };
  const file = findFile(stage, folder);
  const stackName = `${defaultStackName}-${stage}`;
  return {
    context: { stackName, ...readFile(file), ...context, stage },
    describeSource: (name) => (Object.hasOwn(context, name) ? '' : `${relative(root, file)}: `),
  };
};

/** Returns the name of the stack of a stage. @throws {SettingsError} for an unknown stage or an unreadable file */
export const readStackName = (stage: string): string =>
  String(readStage({ stage }).context['stackName']);
