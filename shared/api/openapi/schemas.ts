import * as z from 'zod';
import { implies, type JsonSchema } from '../schemas/json-schema.ts';
import { DecisionList, PackageDecision, SubmissionList } from '../schemas/many.ts';
import { namedSchemas } from '../schemas/named-schemas.ts';
import { ScannerReport } from '../schemas/scan.ts';
import { RegistryReport } from '../schemas/scan-report.ts';
import { Submission } from '../schemas/submission.ts';

const named = z.registry<{ id: string }>();
for (const [id, schema] of Object.entries(namedSchemas)) named.add(schema, { id });

const makeReference = (id: string): string => `#/components/schemas/${id}`;

/**
 * Refers to the schema of a body or an answer.
 * @throws {Error} for one that is not among the named schemas
 */
export const refer = (schema: z.ZodType): JsonSchema => {
  const id = named.get(schema)?.id;
  if (id === undefined)
    throw new Error('Name each schema of a body or an answer in schemas/named-schemas.ts');
  return { $ref: makeReference(id) };
};

const dropDialect = ({ $schema: _, $id: __, ...schema }: JsonSchema): JsonSchema => schema;

/** A list whose items are checked by their own schema one by one. */
const describeList = (list: z.ZodType, name: string, item: z.ZodType): JsonSchema => {
  const schema = describeSchema(list);
  const { [name]: items } = describeFields(list, 'input');
  return { ...schema, properties: { [name]: { ...items, items: refer(item) } } };
};

/** All named schemas, by their names: what clients send as it goes in. */
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
    // Its lists are checked twice on their way in, and only what comes out tells of their entries.
    RegistryReport: describeSchema(RegistryReport),
    SubmissionList: describeList(SubmissionList, 'packages', Submission),
    DecisionList: describeList(DecisionList, 'decisions', PackageDecision),
    // Any object goes in, and is read by the rules of the format that it turns out to be of.
    ScannerReport: {
      ...describeSchema(ScannerReport),
      allOf: [
        implies(
          { type: 'object', properties: { tool: {} }, required: ['tool'] },
          refer(RegistryReport),
        ),
      ],
    },
  };
};

/** A schema that has no name, as it comes out. */
export const describeSchema = (schema: z.ZodType): JsonSchema =>
  dropDialect(z.toJSONSchema(schema, { unrepresentable: 'any' }));

type Properties = Readonly<Record<string, JsonSchema>>;

/** The fields of an object that has no name, as they go in or come out. */
export const describeFields = (schema: z.ZodType, io: 'input' | 'output'): Properties =>
  (z.toJSONSchema(schema, { io, unrepresentable: 'any' }).properties ?? {}) as Properties;

/** The names of the fields that must go in. */
export const listRequired = (schema: z.ZodType): readonly string[] =>
  z.toJSONSchema(schema, { io: 'input', unrepresentable: 'any' }).required ?? [];
