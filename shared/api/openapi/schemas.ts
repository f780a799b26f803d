import * as z from 'zod';
import { holdTo, implies, type JsonSchema } from '../schemas/json-schema.ts';
import { DecisionList, PackageDecision, SubmissionList } from '../schemas/many.ts';
import { namedSchemas } from '../schemas/named-schemas.ts';
import { ScannerReport } from '../schemas/scan.ts';
import { RegistryReport } from '../schemas/scan-report.ts';
import { Submission } from '../schemas/submission.ts';

const named = z.registry<{ id: string }>();
for (const [id, schema] of Object.entries(namedSchemas)) named.add(schema, { id });

const makeReference = (id: string): string => `#/components/schemas/${id}`;

/**
 * Returns a reference to the schema of a body or a response.
 * @throws {Error} if the schema is not one of the named schemas
 */
export const refer = (schema: z.ZodType): JsonSchema => {
  const id = named.get(schema)?.id;
  if (id === undefined)
    throw new Error('Name each schema of a body or an answer in schemas/named-schemas.ts');
  return { $ref: makeReference(id) };
};

const dropDialect = ({ $schema: _, $id: __, ...schema }: JsonSchema): JsonSchema => schema;

/** Returns the schema of a list whose items are validated one at a time, by their own schema. */
const describeList = (list: z.ZodType, name: string, item: z.ZodType): JsonSchema => {
  const schema = describeSchema(list);
  const { [name]: items } = describeFields(list, 'input');
  return { ...schema, properties: { [name]: { ...items, items: refer(item) } } };
};

/** Returns the schema of a report. The input schema accepts any object. The content of a report determines its format. */
const describeReport = (): JsonSchema => {
  const { anyOf, ...schema } = describeSchema(ScannerReport);
  const [report, list] = anyOf as readonly [JsonSchema, JsonSchema];
  const isOwn = { properties: { tool: {} }, required: ['tool'] };
  return {
    ...schema,
    anyOf: [{ ...report, ...holdTo(implies(isOwn, refer(RegistryReport))) }, list],
  };
};

/** Returns all named schemas by name, as input: before defaults and transformations. */
export const describeNamedSchemas = (): JsonSchema => {
  const { schemas } = z.toJSONSchema(named, {
    io: 'input',
    uri: makeReference,
    unrepresentable: 'any',
  });
  const components = Object.entries(schemas).map(([id, schema]) => [
    id,
    dropDialect(schema as JsonSchema),
  ]);
  return {
    ...Object.fromEntries(components),
    // Its lists have two validation steps. Only the output side describes their entries.
    RegistryReport: describeSchema(RegistryReport),
    SubmissionList: describeList(SubmissionList, 'packages', Submission),
    DecisionList: describeList(DecisionList, 'decisions', PackageDecision),
    ScannerReport: describeReport(),
  };
};

/** Returns the JSON Schema of a schema's output, inline. */
export const describeSchema = (schema: z.ZodType): JsonSchema =>
  dropDialect(z.toJSONSchema(schema, { unrepresentable: 'any' }));

type Properties = Readonly<Record<string, JsonSchema>>;

/** Returns the JSON Schemas of an object's fields by name, as input or output. */
export const describeFields = (schema: z.ZodType, io: 'input' | 'output'): Properties =>
  (z.toJSONSchema(schema, { io, unrepresentable: 'any' }).properties ?? {}) as Properties;

/** Returns the names of the required input fields. */
export const listRequired = (schema: z.ZodType): readonly string[] =>
  z.toJSONSchema(schema, { io: 'input', unrepresentable: 'any' }).required ?? [];
