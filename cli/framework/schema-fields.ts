import * as z from 'zod';
import { flagWords, wholeNumber } from '../../shared/api/schemas/query.ts';

/** A parameter or a body's field that can be given as a flag. */
export interface Field {
  readonly name: string;
  readonly kind: 'text' | 'number' | 'flag';
  /** The values that it can have; of a flag, those of which it can also have a list. */
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
  readonly items?: JsonSchema;
  readonly properties?: Readonly<Record<string, JsonSchema>>;
  readonly required?: readonly string[];
}

/** Optional fields may be null; a flag that is left out says the same. */
const dropNull = (schema: JsonSchema): JsonSchema => {
  if (Array.isArray(schema.type)) {
    return { ...schema, type: schema.type.filter((type) => type !== 'null').join() };
  }
  const others = schema.anyOf?.filter(({ type }) => type !== 'null');
  return others?.length === 1 && others[0] ? others[0] : schema;
};

/** How a value is given as a flag; undefined for what is no single value. */
const findKind = (schema: JsonSchema): Field['kind'] | undefined => {
  const { type, pattern, enum: words, anyOf } = schema;
  // A query has words in place of true and false.
  if (type === 'boolean' || words?.join() === flagWords.join()) return 'flag';
  if (anyOf?.some((one) => one.type === 'boolean')) return 'flag';
  if (type === 'integer' || type === 'number' || pattern === wholeNumber.source) return 'number';
  return type === 'string' ? 'text' : undefined;
};

/** The values that a field can have, or list; undefined where it can have any. */
const findChoices = ({ type, enum: words, anyOf = [] }: JsonSchema): Field['choices'] => {
  if (type === 'boolean' || words?.join() === flagWords.join()) return undefined;
  return words ?? anyOf.find(({ items }) => items)?.items?.enum;
};

/** The fields of an object, or of all the objects that it may be. */
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

/** Reads from the schema of a query or body which of its fields can be given as flags. */
export const readFields = (schema: z.ZodType): Field[] => {
  const json = z.toJSONSchema(schema, { io: 'input', unrepresentable: 'any' }) as JsonSchema;
  const fields = listObjects(json).flatMap(readObjectFields);
  return [...new Map(fields.map((field) => [field.name, field])).values()];
};
