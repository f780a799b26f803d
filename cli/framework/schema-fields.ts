import * as z from 'zod';
import { flagWords, wholeNumber } from '../../shared/api/schemas/query.ts';

/** A query parameter or a field of the body that can be a flag. */
export interface Field {
  readonly name: string;
  readonly kind: 'text' | 'number' | 'flag';
  /** The allowed values; of a flag, the allowed values of its list. */
  readonly choices: readonly string[] | undefined;
  readonly required: boolean;
  /** Whether null differs from a missing value. */
  readonly nullable: boolean;
}

interface JsonSchema {
  readonly type?: string | readonly string[];
  readonly enum?: readonly string[];
  readonly pattern?: string;
  readonly anyOf?: readonly JsonSchema[];
  readonly items?: JsonSchema;
  readonly properties?: Readonly<Record<string, JsonSchema>>;
  readonly required?: readonly string[];
}

/** Drops null from an optional field: a missing flag means the same. */
const dropNull = (schema: JsonSchema): JsonSchema => {
  if (Array.isArray(schema.type)) {
    return { ...schema, type: schema.type.filter((type) => type !== 'null').join() };
  }
  const others = schema.anyOf?.filter(({ type }) => type !== 'null');
  return others?.length === 1 && others[0] ? others[0] : schema;
};

/** Returns the kind of a flag; undefined for a field that is no single value. */
const findKind = (schema: JsonSchema): Field['kind'] | undefined => {
  const { type, pattern, enum: words, anyOf } = schema;
  // A query has the texts true and false.
  if (type === 'boolean' || words?.join() === flagWords.join()) return 'flag';
  if (anyOf?.some((one) => one.type === 'boolean')) return 'flag';
  if (type === 'integer' || type === 'number' || pattern === wholeNumber.source) return 'number';
  return type === 'string' ? 'text' : undefined;
};

/** Returns the allowed values of a field or its list; undefined for any value. */
const findChoices = ({ type, enum: words, anyOf = [] }: JsonSchema): Field['choices'] => {
  if (type === 'boolean' || words?.join() === flagWords.join()) return undefined;
  return words ?? anyOf.find(({ items }) => items)?.items?.enum;
};

/** Lists the object schemas of a union. */
const listObjects = (schema: JsonSchema): readonly JsonSchema[] =>
  schema.anyOf ? schema.anyOf.flatMap(listObjects) : [schema];

const readObjectFields = ({ properties = {}, required = [] }: JsonSchema): Field[] =>
  Object.entries(properties).flatMap(([name, property]) => {
    const schema = dropNull(property);
    const kind = findKind(schema);
    const isRequired = required.includes(name);
    const nullable = isRequired && schema !== property;
    const choices = findChoices(schema);
    return kind ? [{ name, kind, choices, required: isRequired, nullable }] : [];
  });

/** Returns the fields of a query or body that can be flags. */
export const readFields = (schema: z.ZodType): Field[] => {
  const json = z.toJSONSchema(schema, { io: 'input', unrepresentable: 'any' }) as JsonSchema;
  const fields = listObjects(json).flatMap(readObjectFields);
  return [...new Map(fields.map((field) => [field.name, field])).values()];
};
