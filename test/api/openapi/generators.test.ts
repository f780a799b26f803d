import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';

const written = JSON.parse(readFileSync('openapi.json', 'utf8'));
const schemas: Readonly<Record<string, Schema>> = written.components.schemas;

interface Schema {
  readonly $ref?: string;
  readonly type?: unknown;
  readonly format?: string;
  readonly pattern?: string;
  readonly const?: unknown;
  readonly enum?: readonly unknown[];
  readonly maximum?: number;
  readonly anyOf?: readonly Schema[];
  readonly oneOf?: readonly Schema[];
  readonly allOf?: readonly Schema[];
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly items?: Schema;
  readonly additionalProperties?: boolean | Schema;
}

const listChoices = ({ anyOf = [], oneOf = [] }: Schema): readonly Schema[] => [...anyOf, ...oneOf];

/** Returns the schemas directly inside a schema that generators of clients read. They skip `if`, `then`, `else` and `not`. */
const listInner = (schema: Schema): Schema[] => {
  const { allOf = [], properties = {}, items, additionalProperties } = schema;
  const inner = [...listChoices(schema), ...allOf, ...Object.values(properties)];
  const others = [items, additionalProperties].filter((one) => typeof one === 'object');
  return [...inner, ...others];
};

const listAll = (schema: Schema): Schema[] => [schema, ...listInner(schema).flatMap(listAll)];

/** Schemas for which the clients of some generators do not compile or do not work, by what is at fault. */
const faults: Readonly<Record<string, (schema: Schema) => boolean>> = {
  'a rule in allOf': ({ allOf }) => allOf !== undefined,
  'a field that is always null': ({ properties = {} }) =>
    Object.values(properties).some(({ type }) => type === 'null'),
  'a pattern beside date-time': ({ format, pattern }) =>
    format === 'date-time' && pattern !== undefined,
  'a constant flag': ({ const: value, enum: values = [] }) =>
    [value, ...values].some((one) => typeof one === 'boolean'),
  'an integer of more than 32 bits without a format': ({ maximum = 0, format }) =>
    maximum > 2 ** 31 && format !== 'int64',
  'a choice without a type': (schema) =>
    listChoices(schema).some(({ $ref, type }) => $ref === undefined && type === undefined),
  'a choice between a list and another type': (schema) =>
    listChoices(schema).some(({ type }) => type === 'array') &&
    listChoices(schema).some(({ type }) => type !== 'array' && type !== 'null'),
  'a choice that is not exclusive': ({ anyOf = [] }) =>
    anyOf.filter(({ type }) => type !== 'null').length > 1,
  'fields beside a reference': ({ $ref, ...others }) =>
    $ref !== undefined && listInner(others).length > 0,
};

const findFaults = (schema: Schema): string[] =>
  Object.entries(faults).flatMap(([fault, isAtFault]) =>
    listAll(schema).some(isAtFault) ? [fault] : [],
  );

const isObject = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null;

/** Lists the schemas of parameters, headers, bodies and responses below a node of the document. */
const listSchemas = (node: unknown): Schema[] => {
  if (!isObject(node)) return [];
  return Object.entries(node).flatMap(([key, value]) =>
    key === 'schema' ? [value as Schema] : listSchemas(value),
  );
};

it('has only schemas from which generators of clients make types that work', () => {
  const all = [...Object.entries(schemas), ...listSchemas(written.paths).entries()];

  const found = all.flatMap(([name, schema]) =>
    findFaults(schema).map((fault) => `${name}: ${fault}`),
  );

  expect(all.length).toBeGreaterThan(400);
  expect(found).toEqual([]);
});

/** Collects the names of the schemas that a schema refers to, however deep. */
const collectNames = (schema: Schema, names: Set<string>): void => {
  for (const { $ref = '' } of listAll(schema)) {
    const name = $ref.replace('#/components/schemas/', '');
    const named = schemas[name];
    if (!named || names.has(name)) continue;
    names.add(name);
    collectNames(named, names);
  }
};

it('has no choice in a response, of which clients would have to find the right one', () => {
  const methods = Object.values<Record<string, { responses: unknown }>>(written.paths);
  const operations = methods.flatMap((method) => Object.values(method));
  const names = new Set<string>();
  for (const answer of operations.flatMap(({ responses }) => listSchemas(responses)))
    collectNames(answer, names);

  const choices = [...names].filter((name) =>
    listAll(schemas[name] ?? {}).some(({ oneOf }) => oneOf),
  );

  expect([...names]).toEqual(expect.arrayContaining(['Problem', 'ListedPage', 'ItemResult']));
  expect(choices).toEqual([]);
});

it.each<[string, Schema]>([
  ['a rule in allOf', { type: 'object', allOf: [{ $ref: '#/components/schemas/Problem' }] }],
  ['a field that is always null', { properties: { reason: { type: 'null' } } }],
  ['a pattern beside date-time', { type: 'string', format: 'date-time', pattern: 'Z$' }],
  ['a constant flag', { items: { type: 'boolean', const: true } }],
  ['an integer of more than 32 bits without a format', { maximum: Number.MAX_SAFE_INTEGER }],
  ['a choice without a type', { oneOf: [{ properties: {} }, { type: 'string' }] }],
  [
    'a choice between a list and another type',
    { oneOf: [{ type: 'boolean' }, { type: 'array', items: {} }] },
  ],
  ['a choice that is not exclusive', { anyOf: [{ type: 'string' }, { type: 'boolean' }] }],
  ['fields beside a reference', { $ref: '#/x', properties: { status: { const: 404 } } }],
])('sees %s', (fault, schema) => {
  expect(findFaults(schema)).toEqual([fault]);
});
