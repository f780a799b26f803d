import * as z from 'zod';

/** A parameter or a body's field that can be given as a flag. */
export interface Field {
  readonly name: string;
  readonly kind: 'text' | 'number' | 'flag';
  readonly choices: readonly string[] | undefined;
  readonly required: boolean;
  /** Whether null says something else than leaving it out. */
  readonly nullable: boolean;
}

interface JsonSchema {
  readonly type?: string | readonly string[];
  readonly enum?: readonly string[];
  readonly pattern?: string;
  readonly anyOf?: readonly JsonSchema[];
  readonly properties?: Readonly<Record<string, JsonSchema>>;
  readonly required?: readonly string[];
}

/** How a whole number is written in a query. */
const digitsPattern = '^[0-9]+$';

/** Optional fields may be null; a flag that is left out says the same. */
const withoutNull = (schema: JsonSchema): JsonSchema => {
  if (Array.isArray(schema.type)) {
    return { ...schema, type: schema.type.filter((type) => type !== 'null').join() };
  }
  const others = schema.anyOf?.filter(({ type }) => type !== 'null');
  return others?.length === 1 && others[0] ? others[0] : schema;
};

/** Undefined for what is no single value. */
const kindOf = ({ type, pattern }: JsonSchema): Field['kind'] | undefined => {
  if (type === 'boolean') return 'flag';
  if (type === 'integer' || type === 'number' || pattern === digitsPattern) return 'number';
  return type === 'string' ? 'text' : undefined;
};

/** The fields of an object, or of all the objects that it may be. */
const objects = (schema: JsonSchema): readonly JsonSchema[] =>
  schema.anyOf ? schema.anyOf.flatMap(objects) : [schema];

const fieldsOfObject = ({ properties = {}, required = [] }: JsonSchema): Field[] =>
  Object.entries(properties).flatMap(([name, property]) => {
    const schema = withoutNull(property);
    const kind = kindOf(schema);
    const isRequired = required.includes(name);
    const nullable = isRequired && schema !== property;
    return kind ? [{ name, kind, choices: schema.enum, required: isRequired, nullable }] : [];
  });

/** The fields of a query or body that can be flags, by its schema. */
export const fieldsOf = (schema: z.ZodType): Field[] => {
  const json = z.toJSONSchema(schema, { io: 'input', unrepresentable: 'any' }) as JsonSchema;
  const fields = objects(json).flatMap(fieldsOfObject);
  return [...new Map(fields.map((field) => [field.name, field])).values()];
};
