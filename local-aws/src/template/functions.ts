/** Reads Lambda functions and finds their bundles in the cloud assembly. */
import { statSync } from 'node:fs';
import * as z from 'zod';
import type { Resource } from './assembly.ts';
import type { LambdaFunction } from './model.ts';
import { functionArn } from './names.ts';
import { checkProperties, type Reader, textSchema, UnsupportedResourceError } from './reader.ts';
import { findRole } from './roles.ts';

const functionSchema = z.object({
  FunctionName: z.string().optional(),
  Code: z.object({ S3Key: z.string().optional() }).default({}),
  Environment: z.object({ Variables: z.record(z.string(), textSchema).default({}) }).optional(),
  Handler: z.string().optional(),
  Layers: z.array(z.unknown()).default([]),
  MemorySize: z.number().default(128),
  PackageType: z.string().default('Zip'),
  Role: z.string(),
  Runtime: z.string().optional(),
  Timeout: z.number().default(3),
});

/** Properties without an effect on a function that runs locally. */
const withoutEffect = [
  'Architectures',
  'CodeSigningConfigArn',
  'Description',
  'EphemeralStorage',
  'KmsKeyArn',
  'LoggingConfig',
  'RecursiveLoop',
  'ReservedConcurrentExecutions',
  'RuntimeManagementConfig',
  'SnapStart',
  'Tags',
  'TracingConfig',
  'VpcConfig',
];

type Properties = z.output<typeof functionSchema>;

const checkRuntime = (
  resource: Resource,
  { Runtime = '', Layers, PackageType }: Properties,
): void => {
  if (PackageType !== 'Zip' || !Runtime.startsWith('nodejs')) {
    throw new UnsupportedResourceError(
      resource,
      `its runtime is ${Runtime || PackageType}, not Node.js`,
    );
  }
  if (Layers.length > 0) {
    throw new UnsupportedResourceError(resource, 'it has layers');
  }
};

const findCodeDirectory = (reader: Reader, resource: Resource, key: string | undefined): string => {
  const directory = key === undefined ? undefined : reader.template.assets[key];
  if (directory === undefined) {
    throw new UnsupportedResourceError(
      resource,
      'its code is not an asset directory of the assembly',
    );
  }
  if (!statSync(directory, { throwIfNoEntry: false })?.isDirectory()) {
    throw new UnsupportedResourceError(resource, `its code is missing: no directory ${directory}`);
  }
  return directory;
};

const findRoleId = (reader: Reader, resource: Resource, arn: string): string => {
  const role = findRole(reader, arn);
  if (role === undefined) {
    throw new UnsupportedResourceError(resource, `its role ${arn} is not in the template`);
  }
  return role.id;
};

const readFunction = (reader: Reader, resource: Resource): LambdaFunction => {
  checkProperties(resource, [...Object.keys(functionSchema.shape), ...withoutEffect]);
  const properties = reader.read(resource, functionSchema);
  checkRuntime(resource, properties);
  return {
    id: resource.id,
    name: properties.FunctionName ?? resource.id,
    codeDirectory: findCodeDirectory(reader, resource, properties.Code.S3Key),
    handler: properties.Handler ?? '',
    environment: properties.Environment?.Variables ?? {},
    timeoutSeconds: properties.Timeout,
    memoryMb: properties.MemorySize,
    roleId: findRoleId(reader, resource, properties.Role),
  };
};

/** Returns the function with this name or ARN. */
export const findFunction = (
  functions: readonly LambdaFunction[],
  nameOrArn: string,
): LambdaFunction | undefined =>
  functions.find(({ name }) => nameOrArn === name || nameOrArn === functionArn(name));

export const readFunctions = (reader: Reader): readonly LambdaFunction[] =>
  reader.ofType('AWS::Lambda::Function').map((resource) => readFunction(reader, resource));
