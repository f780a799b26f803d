import type { Route } from '../../shared/api/route.ts';
import { readPathParameters } from '../../shared/api/route-rules.ts';
import { type Schema, type TypeField, writeObjectType, writeType } from './schema-types.ts';

interface Content {
  readonly content: Readonly<Record<string, { readonly schema: Schema }>>;
}

interface Parameter {
  readonly name: string;
  readonly in: string;
  readonly required?: boolean;
  readonly description?: string;
  readonly schema: Schema;
}

/** An operation of an OpenAPI document, as far as types follow from it. */
export interface DocumentedOperation {
  readonly summary: string;
  readonly parameters: readonly Parameter[];
  readonly requestBody?: Content & { readonly required: boolean };
  readonly responses: Readonly<Record<string, Content>>;
}

const writeJsonType = (content: Content | undefined): string =>
  writeType(content?.content['application/json']?.schema ?? {});

const writePath = ({ path }: Route): TypeField[] => {
  const names = readPathParameters(path);
  if (names.length === 0) return [];
  return [{ name: 'path', type: writeObjectType(names.map((name) => ({ name, type: 'string' }))) }];
};

/** What is sent as text may be given as that, or as the number, or the yes or no, that it is read as. */
const writeGiven = (schema: Schema): string => {
  const type = writeType(schema);
  if (type === 'number') return 'string | number';
  const words = schema.enum ?? [schema.const];
  return words.every((word) => word === 'true' || word === 'false') ? `${type} | boolean` : type;
};

const writeParameter = ({ name, required, description, schema }: Parameter): TypeField => {
  const given = writeGiven(schema);
  const comment = description;
  return required
    ? { name, type: given, comment }
    : { name, type: `${given} | undefined`, optional: true, comment };
};

/** An operation without parameters takes no query at all: an empty type would let everything through. */
const writeQuery = ({ parameters }: DocumentedOperation): TypeField[] => {
  const inQuery = parameters.filter((parameter) => parameter.in === 'query');
  if (inQuery.length === 0) return [];
  const optional = inQuery.every(({ required }) => !required);
  return [{ name: 'query', type: writeObjectType(inQuery.map(writeParameter)), optional }];
};

const writeBody = ({ requestBody }: DocumentedOperation): TypeField[] =>
  requestBody
    ? [{ name: 'body', type: writeJsonType(requestBody), optional: !requestBody.required }]
    : [];

/** Writes the client's function for an operation, by its name in `routes.ts`. */
export const writeOperation = (
  name: string,
  route: Route,
  documented: DocumentedOperation,
): TypeField => {
  const fields = [...writePath(route), ...writeQuery(documented), ...writeBody(documented)];
  const isOptional = fields.every(({ optional }) => optional);
  const input = `input${isOptional ? '?' : ''}: ${writeObjectType(fields)}`;
  const result = writeJsonType(documented.responses[route.success.status]);
  return {
    name,
    type: `(${input}, options?: CallOptions) => Promise<${result}>`,
    comment: documented.summary,
  };
};
