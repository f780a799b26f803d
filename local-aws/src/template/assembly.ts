/** Reads a CDK cloud assembly: the directory that `cdk synth` writes. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import * as z from 'zod';
import { StartError } from '../start-error.ts';
import { accountId, region } from './names.ts';

/** The assembly or its template asks for something that cannot run here. The message names the resource. */
export class TemplateError extends StartError {
  override name = 'TemplateError';
}

export interface Resource {
  readonly id: string;
  readonly type: string;
  /** As synthesised, intrinsic functions unresolved. */
  readonly properties: Readonly<Record<string, unknown>>;
  /** The template's condition on which it exists at all. */
  readonly condition?: string;
}

export interface Template {
  readonly stackName: string;
  readonly resources: readonly Resource[];
  /** The defaults of the template's parameters. */
  readonly parameters: Readonly<Record<string, unknown>>;
  /** The values of the template's outputs, as synthesised. */
  readonly outputs: Readonly<Record<string, unknown>>;
  /** Object key in the bootstrap bucket to the absolute path of the asset's directory. */
  readonly assets: Readonly<Record<string, string>>;
}

const manifestSchema = z.object({
  artifacts: z.record(
    z.string(),
    z.object({
      type: z.string(),
      /** Where a stack goes, such as `aws://123456789012/eu-west-1`. */
      environment: z.string().optional(),
      properties: z
        .object({ templateFile: z.string().optional(), file: z.string().optional() })
        .optional(),
    }),
  ),
});

const templateSchema = z.object({
  Resources: z.record(
    z.string(),
    z.object({
      Type: z.string(),
      Properties: z.record(z.string(), z.unknown()).default({}),
      Condition: z.string().optional(),
    }),
  ),
  Parameters: z.record(z.string(), z.object({ Default: z.unknown().optional() })).default({}),
  Outputs: z.record(z.string(), z.object({ Value: z.unknown() })).default({}),
});

const assetsSchema = z.object({
  files: z.record(
    z.string(),
    z.object({
      source: z.object({ path: z.string().optional(), packaging: z.string().optional() }),
      destinations: z.record(z.string(), z.object({ objectKey: z.string() })),
    }),
  ),
});

const readJson = <T>(
  path: string,
  schema: z.ZodType<T>,
  change: (text: string) => string = (text) => text,
): T => {
  try {
    return schema.parse(JSON.parse(change(readFileSync(path, 'utf8'))));
  } catch (cause) {
    throw new TemplateError(`cannot read ${path} of the cloud assembly`, { cause });
  }
};

const readAssets = (directory: string, file: string): [objectKey: string, path: string][] => {
  const { files } = readJson(join(directory, file), assetsSchema);
  return Object.values(files).flatMap(({ source, destinations }) =>
    source.path === undefined || source.packaging !== 'zip'
      ? []
      : Object.values(destinations).map(({ objectKey }): [string, string] => [
          objectKey,
          join(directory, source.path ?? ''),
        ]),
  );
};

/** Moves a template that is for one account and region, and may name them anywhere, to those of this machine. */
const moveHere =
  (environment = '') =>
  (text: string): string => {
    const [, account, home] = /^aws:\/\/(\d+)\/([a-z0-9-]+)$/.exec(environment) ?? [];
    if (account === undefined || home === undefined) return text;
    return text.replaceAll(account, accountId).replaceAll(home, region);
  };

const readTemplate = (
  path: string,
  environment: string | undefined,
): Pick<Template, 'resources' | 'parameters' | 'outputs'> => {
  const { Resources, Parameters, Outputs } = readJson(path, templateSchema, moveHere(environment));
  return {
    resources: Object.entries(Resources).map(([id, { Type, Properties, Condition }]) => ({
      id,
      type: Type,
      properties: Properties,
      ...(Condition !== undefined && { condition: Condition }),
    })),
    parameters: Object.fromEntries(
      Object.entries(Parameters).map(([name, { Default }]) => [name, Default]),
    ),
    outputs: Object.fromEntries(Object.entries(Outputs).map(([name, { Value }]) => [name, Value])),
  };
};

/**
 * The one stack of an assembly that has a REST API.
 * @throws {TemplateError} when a file is missing or malformed, or when not exactly one stack has a REST API
 */
export const readAssembly = (directory: string): Template => {
  const { artifacts } = readJson(join(directory, 'manifest.json'), manifestSchema);
  const assetFiles = Object.values(artifacts)
    .filter(({ type }) => type === 'cdk:asset-manifest')
    .flatMap(({ properties }) => properties?.file ?? []);
  const assets = Object.fromEntries(assetFiles.flatMap((file) => readAssets(directory, file)));

  const stacks = Object.entries(artifacts)
    .filter(([, { type }]) => type === 'aws:cloudformation:stack')
    .flatMap(([stackName, { properties, environment }]) => {
      const file = properties?.templateFile;
      return file === undefined
        ? []
        : [{ stackName, assets, ...readTemplate(join(directory, file), environment) }];
    })
    .filter(({ resources }) => resources.some(({ type }) => type === 'AWS::ApiGateway::RestApi'));

  const [stack, ...others] = stacks;
  if (stack === undefined || others.length > 0) {
    const found = stacks.map(({ stackName }) => stackName).join(', ') || 'none';
    throw new TemplateError(`expected exactly one stack with a REST API, found: ${found}`);
  }
  return stack;
};
