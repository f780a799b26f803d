import { holdTo, type JsonSchema, unite } from '../schemas/json-schema.ts';
import type { SchemaName } from '../schemas/named-schemas.ts';

/** Schema of the document, of which only some keywords are read. */
interface Schema extends JsonSchema {
  readonly $ref?: string;
  readonly description?: string;
  readonly anyOf?: readonly Schema[];
  readonly items?: Schema;
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly required?: readonly string[];
}

type Adapt = (schema: Schema) => Schema;

/** Some clients would match the pattern against the time that they read from the text. */
const adaptTime: Adapt = (schema) => {
  if (schema['format'] !== 'date-time') return schema;
  const { pattern: _, description, ...rest } = schema;
  if (description?.includes('UTC')) return { ...rest, description };
  return { ...rest, description: description ? `${description} In UTC.` : 'A time in UTC.' };
};

/** Without a format, an integer has 32 bits in some languages. */
const adaptInteger: Adapt = (schema) =>
  schema['maximum'] === Number.MAX_SAFE_INTEGER ? { ...schema, format: 'int64' } : schema;

/** In Java, an enumeration of booleans does not compile. */
const adaptFlag: Adapt = (schema) => {
  if (typeof schema['const'] !== 'boolean') return schema;
  const { const: value, ...rest } = schema;
  return { ...rest, not: { const: !value } };
};

/** In clients, known words beside any text are a class of their own. As examples, they leave a plain text. */
const adaptWords: Adapt = (schema) => {
  const { anyOf = [], ...rest } = schema;
  const words = anyOf.find((one) => one['enum'] !== undefined);
  const isOpen = anyOf.some((one) => one['type'] === 'string' && one !== words);
  return words && isOpen ? { ...rest, type: 'string', examples: words['enum'] } : schema;
};

/**
 * In Java and TypeScript, a choice between a list and other types does not compile or cannot be sent. Without a type, clients
 * take any value.
 */
const adaptListChoice: Adapt = (schema) => {
  const { anyOf = [], ...rest } = schema;
  const choices = anyOf.flatMap((one) => one.anyOf ?? [one]);
  const list = choices.find((one) => one['type'] === 'array');
  const others = choices.filter((one) => one !== list);
  if (!list || others.every((one) => one['type'] === 'null')) return schema;
  const isList = { type: 'array', items: {} };
  return { ...rest, if: isList, then: list, else: unite('anyOf', others) };
};

/**
 * From `anyOf`, some generators make one type with the fields of all alternatives, all of them required. The alternatives of
 * the API exclude each other.
 */
const adaptChoice: Adapt = (schema) => {
  const { anyOf = [], ...rest } = schema;
  const choices = anyOf.filter((one) => one['type'] !== 'null');
  return choices.length > 1 ? { ...rest, oneOf: anyOf } : schema;
};

const adaptations = [adaptTime, adaptInteger, adaptFlag, adaptWords, adaptListChoice, adaptChoice];

const mapValues = <T>(
  object: Readonly<Record<string, T>>,
  change: (value: T, key: string) => unknown,
): JsonSchema =>
  Object.fromEntries(Object.entries(object).map(([key, value]) => [key, change(value, key)]));

/** Adapts a schema and the schemas in it. Generators skip the rules in `if`, `then`, `else` and `not`, which stay the same. */
const adaptSchema: Adapt = (schema) => {
  const adapted = adaptations.reduce((draft, adapt) => adapt(draft), schema);
  return mapValues(adapted, (value, keyword) => {
    if (keyword === 'properties') return mapValues(value as Record<string, Schema>, adaptSchema);
    if (keyword === 'anyOf' || keyword === 'oneOf')
      return (value as readonly Schema[]).map(adaptSchema);
    const hasSchema = keyword === 'items' || keyword === 'additionalProperties';
    return hasSchema && typeof value === 'object' ? adaptSchema(value as Schema) : value;
  });
};

type Schemas = Readonly<Record<SchemaName, Schema>>;

/**
 * Returns one object for a choice between objects in an answer. It requires the fields that all of them require. Of the
 * choice, some clients would take the first object for every value, and others would find that several match.
 */
const joinObjects = (choice: Schema, schemas: Schemas): Schema => {
  const { anyOf = [], description } = choice;
  const objects = anyOf.map(({ $ref, ...object }) =>
    $ref === undefined ? object : schemas[$ref.replace(/^.*\//, '') as SchemaName],
  );
  const required = objects.map((object) => object.required ?? []);
  return {
    type: 'object',
    ...(description && { description }),
    properties: Object.assign({}, ...objects.map(({ properties }) => properties)),
    required: required.reduce((all, some) => all.filter((name) => some.includes(name))),
    additionalProperties: false,
    ...holdTo({ anyOf }),
  };
};

const joinVersions = (page: Schema, schemas: Schemas): Schema => {
  const { packages = {}, ...numbers } = page.properties ?? {};
  const items = joinObjects(packages.items ?? {}, schemas);
  return { ...page, properties: { packages: { ...packages, items }, ...numbers } };
};

const adaptSchemas = (schemas: Schemas): JsonSchema =>
  mapValues(
    {
      ...schemas,
      ListedPage: joinVersions(schemas.ListedPage, schemas),
      ItemResult: joinObjects(schemas.ItemResult, schemas),
    },
    adaptSchema,
  );

const adaptNode = (node: unknown, key: string): unknown => {
  if (typeof node !== 'object' || node === null || key.startsWith('example')) return node;
  if (key === 'schemas') return adaptSchemas(node as Schemas);
  if (key === 'schema') return adaptSchema(node as Schema);
  return Array.isArray(node)
    ? node.map((one) => adaptNode(one, ''))
    : mapValues(node as JsonSchema, adaptNode);
};

/**
 * Adapts a document to generators of clients, so that their types compile and work. Where they do not support a keyword, other
 * keywords or the description have its meaning.
 */
export const adaptToGenerators = (document: JsonSchema): JsonSchema =>
  mapValues(document, adaptNode);
