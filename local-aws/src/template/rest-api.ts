/** Reads the REST API: its resource tree, methods, integrations, gateway responses and stage. */
import * as z from 'zod';
import { type Resource, TemplateError } from './assembly.ts';
import { createGatewayAccess } from './gateway-access.ts';
import type { GatewayResponse, LambdaFunction, RestApi, Route } from './model.ts';
import { executeApiArn } from './names.ts';
import { type Reader, textSchema, UnsupportedResourceError } from './reader.ts';
import { nameRootResource } from './references.ts';
import { findThrottle, readStage, type Stage } from './stage.ts';

const apiSchema = z.object({
  BinaryMediaTypes: z.array(z.string()).default([]),
  MinimumCompressionSize: z.number().optional(),
  Body: z.undefined('it is imported from an OpenAPI document').optional(),
  Policy: z.undefined('its resource policy is not evaluated').optional(),
});

const resourceSchema = z.object({ ParentId: z.string(), PathPart: z.string() });

const methodSchema = z.object({
  ApiKeyRequired: z.literal(false).optional(),
  AuthorizationType: z.literal('NONE').default('NONE'),
  HttpMethod: z.string(),
  Integration: z.object({
    Credentials: z.string().optional(),
    Type: z.literal('AWS_PROXY'),
    Uri: z.string(),
  }),
  RequestValidatorId: z.undefined().optional(),
  ResourceId: z.string(),
});

const gatewayResponseSchema = z.object({
  ResponseParameters: z.record(z.string(), z.string()).default({}),
  ResponseTemplates: z.record(z.string(), z.string()).default({}),
  ResponseType: z.string(),
  StatusCode: textSchema.optional(),
});

/** Returns path templates by resource id. */
const readPaths = (reader: Reader, apiId: string): ReadonlyMap<string, string> => {
  const parts = new Map(
    reader
      .ofType('AWS::ApiGateway::Resource')
      .map((resource) => [resource.id, reader.read(resource, resourceSchema)]),
  );
  const root = nameRootResource(apiId);
  const joinPath = (id: string): string => {
    const part = parts.get(id);
    return part === undefined ? '' : `${joinPath(part.ParentId)}/${part.PathPart}`;
  };
  return new Map([
    [root, '/'],
    ...[...parts.keys()].map((id): [string, string] => [id, joinPath(id)]),
  ]);
};

/** Returns the function of an integration URI: `arn:...:lambda:path/2015-03-31/functions/<arn>/invocations`. */
const findIntegratedFunction = (
  uri: string,
  functions: readonly LambdaFunction[],
): LambdaFunction | undefined => {
  const name = /\/functions\/arn:[^/]*:function:([^/:]+)\/invocations$/.exec(uri)?.[1];
  return functions.find((candidate) => candidate.name === name);
};

interface Api {
  readonly id: string;
  readonly stage: Stage;
  readonly functions: readonly LambdaFunction[];
}

const readRoutes = (reader: Reader, api: Api): readonly Route[] => {
  const paths = readPaths(reader, api.id);
  const mayInvoke = createGatewayAccess(reader);
  return reader.ofType('AWS::ApiGateway::Method').map((resource) => {
    const { HttpMethod: method, ...properties } = reader.read(resource, methodSchema);
    const path = paths.get(properties.ResourceId);
    const { Uri, Credentials: credentials } = properties.Integration;
    const target = findIntegratedFunction(Uri, api.functions);
    if (path === undefined || target === undefined) {
      throw new UnsupportedResourceError(
        resource,
        `its ${path ? 'function' : 'path'} is not in the template`,
      );
    }
    const throttle = findThrottle(api.stage, method, path);
    // Policies match each parameter of the path template with `*`.
    const sourceArn = executeApiArn(`${api.id}/${api.stage.name}/${method}${path}`);
    return {
      id: resource.id,
      method,
      path,
      functionId: target.id,
      permitted: mayInvoke({ method: resource, target, sourceArn, credentials }),
      ...(throttle && { throttle }),
    };
  });
};

const headerPrefix = 'gatewayresponse.header.';

const readGatewayResponse = (reader: Reader, resource: Resource): [string, GatewayResponse] => {
  const properties = reader.read(resource, gatewayResponseSchema);
  const headers = Object.entries(properties.ResponseParameters).map(([parameter, expression]) => {
    const isReadable = /^('.*'|context\..+)$/s.test(expression);
    if (!parameter.startsWith(headerPrefix) || !isReadable) {
      throw new UnsupportedResourceError(resource, `${parameter}: ${expression}`);
    }
    return [parameter.slice(headerPrefix.length), expression];
  });
  return [
    properties.ResponseType,
    {
      headers: Object.fromEntries(headers),
      templates: properties.ResponseTemplates,
      ...(properties.StatusCode !== undefined && { statusCode: Number(properties.StatusCode) }),
    },
  ];
};

/**
 * Returns the template's REST API.
 * @throws {TemplateError} for a method or gateway response that is not emulated
 */
export const readRestApi = (reader: Reader, functions: readonly LambdaFunction[]): RestApi => {
  const [api, ...others] = reader.ofType('AWS::ApiGateway::RestApi');
  if (api === undefined || others.length > 0) {
    throw new TemplateError('expected exactly one REST API in the stack');
  }
  const { BinaryMediaTypes: binaryMediaTypes, MinimumCompressionSize: minimumCompressionSize } =
    reader.read(api, apiSchema);
  const stage = readStage(reader, api);
  return {
    id: api.id,
    stage: stage.name,
    stageVariables: stage.variables,
    binaryMediaTypes,
    ...(minimumCompressionSize !== undefined && { minimumCompressionSize }),
    routes: readRoutes(reader, { id: api.id, stage, functions }),
    gatewayResponses: Object.fromEntries(
      reader
        .ofType('AWS::ApiGateway::GatewayResponse')
        .map((resource) => readGatewayResponse(reader, resource)),
    ),
    ...(stage.accessLogFormat !== undefined && { accessLogFormat: stage.accessLogFormat }),
  };
};
