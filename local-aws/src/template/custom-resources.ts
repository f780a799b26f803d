/** Reads custom resources: what CloudFormation has a function of the stack do on deployment. */
import * as z from 'zod';
import type { Resource } from './assembly.ts';
import type { CustomResource, LambdaFunction } from './model.ts';
import { functionArn } from './names.ts';
import { type Reader, UnsupportedResourceError } from './reader.ts';

/** Whether a function does it on deployment, and not CloudFormation itself. */
export const isCustomResource = ({ type }: Resource): boolean =>
  type === 'AWS::CloudFormation::CustomResource' || type.startsWith('Custom::');

const propertiesSchema = z.looseObject({ ServiceToken: z.string() });

/** The custom resources, in the template's order. @throws {TemplateError} for one that no function of the stack serves */
export const readCustomResources = (
  reader: Reader,
  functions: readonly LambdaFunction[],
): readonly CustomResource[] =>
  reader.template.resources.filter(isCustomResource).map((resource) => {
    const parsed = propertiesSchema.safeParse(reader.resolve(resource, resource.properties));
    if (!parsed.success) throw new UnsupportedResourceError(resource, 'it has no ServiceToken');
    const properties = parsed.data;
    const server = functions.find(({ name }) => functionArn(name) === properties.ServiceToken);
    if (!server)
      throw new UnsupportedResourceError(resource, 'its ServiceToken is no function of the stack');
    return { id: resource.id, type: resource.type, functionId: server.id, properties };
  });
