/** Typed, resolved views of a template's resources. */
import * as z from 'zod';
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

/** The error for a resource whose shape cannot run here. */
export const unsupported = (resource: Resource, why: string): TemplateError =>
  new TemplateError(`${resource.id} (${resource.type}) cannot run locally: ${why}`);

/**
 * The properties of a resource that only runs here as a whole.
 * @throws {TemplateError} also for a property that the schema does not name
 */
export function readWhole<S extends z.ZodObject>(
  reader: Reader,
  resource: Resource,
  schema: S,
): z.output<S> {
  const unknown = Object.keys(resource.properties).find((property) => !(property in schema.shape));
  if (unknown !== undefined) throw unsupported(resource, `${unknown} is not emulated`);
  return reader.read(resource, schema);
}

/** Numbers and booleans as CloudFormation passes them where text is expected. */
export const textSchema = z.union([z.string(), z.number(), z.boolean()]).transform(String);

export function createReader(template: Template): Reader {
  const resolveValue = createResolver(template);

  const resolve: Reader['resolve'] = (resource, value) => {
    try {
      return resolveValue(value);
    } catch (error) {
      throw error instanceof TemplateError ? unsupported(resource, error.message) : error;
    }
  };

  const read: Reader['read'] = (resource, schema) => {
    const properties = Object.keys(schema.shape)
      .filter((property) => property in resource.properties)
      .map((property) => [property, resolve(resource, resource.properties[property])]);
    const parsed = schema.safeParse(Object.fromEntries(properties));
    if (!parsed.success) {
      const [issue] = parsed.error.issues;
      throw unsupported(resource, `${issue?.path.join('.')}: ${issue?.message}`);
    }
    return parsed.data;
  };

  return {
    template,
    ofType: (...types) => template.resources.filter(({ type }) => types.includes(type)),
    resolve,
    read,
  };
}
