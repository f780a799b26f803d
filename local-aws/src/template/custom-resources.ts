/** Reads custom resources, which CloudFormation creates by invoking a function of the stack. */
import * as z from 'zod';
import type { Resource } from './assembly.ts';
import type { CustomResource, LambdaFunction } from './model.ts';
import { functionArn } from './names.ts';
import { type Reader, UnsupportedResourceError } from './reader.ts';

/** True if a function creates the resource on deployment, instead of CloudFormation itself. */
export const isCustomResource = ({ type }: Resource): boolean =>
  type === 'AWS::CloudFormation::CustomResource' || type.startsWith('Custom::');

const propertiesSchema = z.looseObject({ ServiceToken: z.string() });

/**
 * Returns the custom resources, in the template's order.
 * @throws {TemplateError} for a custom resource that no function of the stack serves
 */
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
