/** Typed, resolved properties of a template's resources. */
import * as z from 'zod';
import { describeIssue } from '../schema.ts';
import { type Resource, type Template, TemplateError } from './assembly.ts';
import { createResolver } from './intrinsics.ts';

export interface Reader {
  readonly template: Template;
  ofType(...types: readonly string[]): readonly Resource[];
  /** Returns a resolved value of the resource. @throws {TemplateError} with the name of the resource */
  resolve(resource: Resource, value: unknown): unknown;
  /**
   * Returns the properties of the schema, resolved and validated. All other properties remain unresolved, so their
   * values need no local equivalent.
   * @throws {TemplateError} with the name of the resource, and of the invalid property
   */
  read<S extends z.ZodObject>(resource: Resource, schema: S): z.output<S>;
}

/** Thrown for a resource that cannot run locally. */
export class UnsupportedResourceError extends TemplateError {
  constructor({ id, type }: Resource, why: string) {
    super(`${id} (${type}) cannot run locally: ${why}`);
  }
}

/** @throws {UnsupportedResourceError} for a property that is not in `known` */
export const checkProperties = (resource: Resource, known: readonly string[]): void => {
  const unknown = Object.keys(resource.properties).find((property) => !known.includes(property));
  if (unknown !== undefined) {
    throw new UnsupportedResourceError(resource, `${unknown} is not emulated`);
  }
};

/**
 * Returns all properties of a resource whose every property must be supported.
 * @throws {TemplateError} also for a property outside the schema
 */
export const readWhole = <S extends z.ZodObject>(
  reader: Reader,
  resource: Resource,
  schema: S,
): z.output<S> => {
  checkProperties(resource, Object.keys(schema.shape));
  return reader.read(resource, schema);
};

/** Text. Numbers and booleans are converted to text, as CloudFormation does. */
export const textSchema = z.union([z.string(), z.number(), z.boolean()]).transform(String);

export const createReader = (template: Template): Reader => {
  const resolveValue = createResolver(template);

  const resolve: Reader['resolve'] = (resource, value) => {
    try {
      return resolveValue(value);
    } catch (error) {
      throw error instanceof TemplateError
        ? new UnsupportedResourceError(resource, error.message)
        : error;
    }
  };

  const read: Reader['read'] = (resource, schema) => {
    const properties = Object.keys(schema.shape)
      .filter((property) => property in resource.properties)
      .map((property) => [property, resolve(resource, resource.properties[property])]);
    const parsed = schema.safeParse(Object.fromEntries(properties));
    if (!parsed.success) throw new UnsupportedResourceError(resource, describeIssue(parsed.error));
    return parsed.data;
  };

  return {
    template,
    ofType: (...types) => template.resources.filter(({ type }) => types.includes(type)),
    resolve,
    read,
  };
};
