import { type Route, readPathParameters } from '../../shared/routes.ts';
import { type Schema, type TypeField, writeObjectType, writeType } from './schema-types.ts';

interface Content {
  readonly content: Readonly<Record<string, { readonly schema: Schema }>>;
}

interface Parameter {
  readonly name: string;
  readonly in: string;
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

/** A number may also be given as the text that is sent. */
const writeParameter = ({ name, description, schema }: Parameter): TypeField => {
  const type = writeType(schema);
  const given = type === 'number' ? 'string | number' : type;
  return { name, type: `${given} | undefined`, optional: true, comment: description };
};

/** An operation without parameters takes no query at all: an empty type would let everything through. */
const writeQuery = ({ parameters }: DocumentedOperation): TypeField[] => {
  const inQuery = parameters.filter((parameter) => parameter.in === 'query');
  if (inQuery.length === 0) return [];
  return [{ name: 'query', type: writeObjectType(inQuery.map(writeParameter)), optional: true }];
};

const writeBody = ({ requestBody }: DocumentedOperation): TypeField[] =>
  requestBody
    ? [{ name: 'body', type: writeJsonType(requestBody), optional: !requestBody.required }]
    : [];

/** Writes the client's function for an operation, by its name in the route table. */
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
