/** The part of JSON Schema by which the API is described. */
export interface Schema {
  readonly $ref?: string;
  readonly description?: string;
  readonly type?: string | readonly string[];
  readonly enum?: readonly unknown[];
  readonly const?: unknown;
  readonly anyOf?: readonly Schema[];
  readonly items?: Schema;
  readonly readOnly?: boolean;
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly required?: readonly string[];
  readonly additionalProperties?: boolean | Schema;
}

/** A field of an object type. */
export interface TypeField {
  readonly name: string;
  /** As TypeScript writes it. */
  readonly type: string;
  readonly optional?: boolean;
  readonly comment?: string | undefined;
}

/** Writes text as a documentation comment; nothing without a text. */
export const writeComment = (text: string | undefined): string =>
  text ? `/** ${text.replaceAll('*/', '* /')} */\n` : '';

const writeField = ({ name, type, optional, comment }: TypeField): string => {
  const key = /^[A-Za-z_]\w*$/.test(name) ? name : JSON.stringify(name);
  return `${writeComment(comment)}${key}${optional ? '?' : ''}: ${type};\n`;
};

/** Writes the type of an object. `others` is the type of the fields that have other names, if there may be any. */
export const writeObjectType = (fields: readonly TypeField[], others?: string): string => {
  const lines = [...fields.map(writeField), ...(others ? [`[name: string]: ${others};\n`] : [])];
  return lines.length > 0 ? `{\n${lines.join('').replace(/^(?=.)/gm, '  ')}}` : '{}';
};

const writeObject = ({ properties = {}, required = [], additionalProperties }: Schema): string => {
  const fields = Object.entries(properties).map(([name, schema]) => {
    const optional = !required.includes(name);
    const type = optional ? `${writeType(schema)} | undefined` : writeType(schema);
    return { name, type, optional, comment: schema.description };
  });
  const isOpen = typeof additionalProperties === 'object';
  return writeObjectType(fields, isOpen ? writeType(additionalProperties) : undefined);
};

const writeList = ({ items = {}, readOnly }: Schema): string => {
  const item = writeType(items);
  if (/^\w+$/.test(item)) return `${readOnly ? 'readonly ' : ''}${item}[]`;
  return `${readOnly ? 'Readonly' : ''}Array<${item}>`;
};

const writeSimpleType = (type: string | undefined, schema: Schema): string => {
  if (type === 'object') return writeObject(schema);
  if (type === 'array') return writeList(schema);
  if (type === 'integer' || type === 'number') return 'number';
  if (type === 'string' || type === 'boolean' || type === 'null') return type;
  throw new Error(`There is no type for the schema ${JSON.stringify(schema)}`);
};

/** Editors suggest known words beside any text only if the type of the text is no plain string. */
const writeUnion = (types: readonly string[]): string => {
  const hasWords = types.some((type) => type.includes('"'));
  const all = types.map((type) => (type === 'string' && hasWords ? '(string & {})' : type));
  return [...new Set(all)].join(' | ');
};

/**
 * Writes the TypeScript type of the values that a schema describes.
 * @throws {Error} for a schema of a kind that the API did not use so far
 */
export const writeType = (schema: Schema): string => {
  const { $ref, enum: values, const: value, anyOf, type } = schema;
  if ($ref) return $ref.replace('#/components/schemas/', '');
  if (values) return writeUnion(values.map((one) => JSON.stringify(one)));
  if (value !== undefined) return JSON.stringify(value);
  if (anyOf) return writeUnion(anyOf.map(writeType));
  if (Object.keys(schema).every((key) => key === 'description')) return 'unknown';
  return writeUnion([type].flat().map((one) => writeSimpleType(one, schema)));
};

/** Writes the exported type of a schema that has a name. */
export const writeNamedType = (name: string, schema: Schema): string => {
  const type = writeType(schema);
  const comment = writeComment(schema.description);
  const isObject = schema.type === 'object';
  return `${comment}export ${isObject ? `interface ${name} ${type}` : `type ${name} = ${type};`}\n`;
};
