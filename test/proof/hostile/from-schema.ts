/** Values that mostly match a schema of openapi.json; rules across several fields are left to chance. */
import fc from 'fast-check';
import * as z from 'zod';
import { resolveReference } from '../../support/document.ts';
import { hostileValue } from './values.ts';

const Schema = z.looseObject({
  $ref: z.string().optional(),
  const: z.unknown().optional(),
  enum: z.array(z.unknown()).optional(),
  type: z.union([z.string(), z.array(z.string())]).optional(),
  anyOf: z.array(z.unknown()).optional(),
  oneOf: z.array(z.unknown()).optional(),
  then: z.unknown().optional(),
  else: z.unknown().optional(),
  pattern: z.string().optional(),
  format: z.string().optional(),
  minLength: z.int().default(0),
  maxLength: z.int().optional(),
  minimum: z.number().optional(),
  maximum: z.number().optional(),
  minItems: z.int().default(0),
  maxItems: z.int().optional(),
  items: z.unknown().optional(),
  properties: z.record(z.string(), z.unknown()).default({}),
  required: z.array(z.string()).default([]),
});
type Schema = z.output<typeof Schema>;

const times = ['2030-01-01T00:00:00Z', '2027-06-01T12:00:00.000Z', '2020-01-01T00:00:00Z'];

/** Frequent values, so that requests concern the same versions. */
const usual: Readonly<Record<string, readonly string[]>> = {
  name: ['lodash', '@types/node', 'requests', 'org.slf4j:slf4j-api', 'redis', 'left-pad'],
  version: ['1.0.0', '1.0.1', '2.0.0'],
  ecosystem: ['npm', 'pypi', 'maven', 'docker'],
  type: ['npm'],
  license: ['MIT', 'Apache-2.0', 'GPL-3.0-only OR MIT', 'AGPLv3'],
  id: ['CVE-2021-44228', 'GHSA-35jh-r3h4-6jhm', 'X-1'],
  other: ['MIT', 'GPL-3.0-only'],
  number: ['1', '2'],
  tool: ['scanner', 'osv.dev'],
  homepage: ['https://example.com'],
  repository: ['git+https://example.com/x.git'],
  expires_at: times,
};

const formats: Readonly<Record<string, readonly string[]>> = {
  uri: ['https://example.com/x'],
};

const deepest = 5;
const longestText = 40;
const longestList = 3;

/** Patterns with lookahead or Unicode classes are not supported. */
const followPattern = (pattern: string): fc.Arbitrary<string> => {
  try {
    return fc.stringMatching(new RegExp(pattern), { maxLength: longestText });
  } catch {
    return fc.string({ maxLength: longestText });
  }
};

const makeText = ({ pattern, format, minLength, maxLength }: Schema): fc.Arbitrary<string> => {
  const known = format === undefined ? undefined : formats[format];
  if (known) return fc.constantFrom(...known);
  if (pattern !== undefined) return followPattern(pattern);
  const longest = Math.max(minLength, Math.min(maxLength ?? longestText, longestText));
  return fc.string({ minLength, maxLength: longest });
};

const makeObject = (
  { properties, required }: Schema,
  depth: number,
): fc.Arbitrary<Record<string, unknown>> =>
  fc.record(
    Object.fromEntries(
      Object.entries(properties).map(([name, schema]) => [
        name,
        fromNamed(name, schema, depth + 1),
      ]),
    ),
    { requiredKeys: required.filter((name) => name in properties), noNullPrototype: true },
  );

const makeOne = (
  schema: Schema,
  type: string | undefined,
  depth: number,
): fc.Arbitrary<unknown> => {
  const { minimum = -10, maximum = 10_000, minItems, maxItems = longestList, items } = schema;
  switch (type) {
    case 'string':
      return makeText(schema);
    case 'integer':
      return fc.integer({
        min: Math.max(minimum, -(2 ** 31)),
        max: Math.min(maximum, 2 ** 31 - 1),
      });
    case 'number':
      return fc.double({ min: minimum, max: maximum, noNaN: true });
    case 'boolean':
      return fc.boolean();
    case 'null':
      return fc.constant(null);
    case 'array':
      return fc.array(fromSchema(items ?? {}, depth + 1), {
        minLength: minItems,
        maxLength: Math.max(minItems, Math.min(maxItems, longestList)),
      });
    case 'object':
      return makeObject(schema, depth);
    default:
      return hostileValue;
  }
};

export const fromSchema = (given: unknown, depth = 0): fc.Arbitrary<unknown> => {
  const schema = Schema.parse(given);
  const { $ref, anyOf, oneOf, then, else: otherwise, enum: values, type, properties } = schema;
  if (depth > deepest) return fc.constant(null);
  if ($ref !== undefined) return fromSchema(resolveReference($ref), depth);
  if (schema.const !== undefined) return fc.constant(schema.const);
  if (values) return fc.constantFrom(...values);
  const choices = anyOf ?? oneOf ?? (otherwise === undefined ? undefined : [then, otherwise]);
  if (choices) return fc.oneof(...choices.map((choice) => fromSchema(choice, depth)));
  const found = type ?? (Object.keys(properties).length > 0 ? 'object' : undefined);
  return fc.oneof(...[found].flat().map((one) => makeOne(schema, one, depth)));
};

/** A value for a field name: half of the values are frequent ones. */
export const fromNamed = (name: string, schema: unknown, depth = 0): fc.Arbitrary<unknown> => {
  const known = usual[name];
  const any = fromSchema(schema, depth);
  return known ? fc.oneof(fc.constantFrom(...known), any) : any;
};
