/** Typed, resolved views of a template's resources. */
import * as z from 'zod';
import { describeIssue } from '../schema.ts';
import { type Resource, type Template, TemplateError } from './assembly.ts';
import { createResolver } from './intrinsics.ts';

export interface Reader {
  readonly template: Template;
  ofType(...types: readonly string[]): readonly Resource[];
  /** A value of the resource, resolved. @throws {TemplateError} naming the resource */
  resolve(resource: Resource, value: unknown): unknown;
  /**
   * The properties that the schema names, resolved and checked. Properties that no one reads are never resolved, so
   * they may use what has no local meaning.
   * @throws {TemplateError} naming the resource and the property
   */
  read<S extends z.ZodObject>(resource: Resource, schema: S): z.output<S>;
}

/** A resource has a shape that cannot run here. */
export class UnsupportedResourceError extends TemplateError {
  constructor({ id, type }: Resource, why: string) {
    super(`${id} (${type}) cannot run locally: ${why}`);
  }
}

/** @throws {UnsupportedResourceError} for a property that is not among the known ones */
export const checkProperties = (resource: Resource, known: readonly string[]): void => {
  const unknown = Object.keys(resource.properties).find((property) => !known.includes(property));
  if (unknown !== undefined) {
    throw new UnsupportedResourceError(resource, `${unknown} is not emulated`);
  }
};

/**
 * The properties of a resource that only runs here as a whole.
 * @throws {TemplateError} also for a property that the schema does not name
 */
export const readWhole = <S extends z.ZodObject>(
  reader: Reader,
  resource: Resource,
  schema: S,
): z.output<S> => {
  checkProperties(resource, Object.keys(schema.shape));
  return reader.read(resource, schema);
};

/** Numbers and booleans as CloudFormation passes them where text is expected. */
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
