/** Reads a CDK cloud assembly: the directory that `cdk synth` writes. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import * as z from 'zod';
import { StartError } from '../start-error.ts';
import { accountId, region } from './names.ts';

/** Thrown if the assembly is unreadable, or if its template needs a feature that cannot run locally. */
export class TemplateError extends StartError {
  override name = 'TemplateError';
}

export interface Resource {
  readonly id: string;
  readonly type: string;
  /** Properties as synthesised, with unresolved intrinsic functions. */
  readonly properties: Readonly<Record<string, unknown>>;
  /** Name of the template condition that decides whether the resource exists. */
  readonly condition?: string;
}

export interface Template {
  readonly stackName: string;
  readonly resources: readonly Resource[];
  /** Default values of the template's parameters. */
  readonly parameters: Readonly<Record<string, unknown>>;
  /** Values of the template's outputs, as synthesised. */
  readonly outputs: Readonly<Record<string, unknown>>;
  /** Paths of the asset directories by object key in the bootstrap bucket. */
  readonly assets: Readonly<Record<string, string>>;
}

const manifestSchema = z.object({
  artifacts: z.record(
    z.string(),
    z.object({
      type: z.string(),
      /** Target account and region of a stack, such as `aws://123456789012/eu-west-1`. */
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

/**
 * Returns a function that replaces a template's account and region with the local ones, wherever they occur in its
 * text.
 */
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
 * Returns the only stack of an assembly with a REST API.
 * @throws {TemplateError} if a file is missing or malformed, or if the number of stacks with a REST API is not one
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
