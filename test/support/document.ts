import { readFileSync } from 'node:fs';
import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js';
import formats from 'ajv-formats';

/** One documented response of an operation. */
export interface DocumentedAnswer {
  readonly headers?: Readonly<
    Record<string, { readonly required?: boolean; readonly schema: object }>
  >;
  /** Absent if the response has no body. */
  readonly content?: Readonly<
    Record<string, { readonly schema?: object; readonly examples?: object }>
  >;
}

/** A parameter of an operation: its location and its schema. */
export interface DocumentedParameter {
  readonly in: 'path' | 'query' | 'header';
  readonly name: string;
  readonly schema: object;
}

export interface DocumentedOperation {
  readonly operationId: string;
  readonly parameters?: readonly DocumentedParameter[];
  readonly requestBody?: {
    readonly content: Readonly<Record<string, { readonly schema: object }>>;
  };
  readonly responses: Readonly<Record<string, DocumentedAnswer>>;
}

interface ApiDocument {
  readonly paths: Readonly<Record<string, Readonly<Record<string, DocumentedOperation>>>>;
  readonly components: { readonly schemas: Readonly<Record<string, object>> };
}

const apiDocument: ApiDocument = JSON.parse(readFileSync('openapi.json', 'utf8'));

/** Keywords of OpenAPI that JSON Schema does not have. */
const unknownWords = ['openapi', 'info', 'servers', 'tags', 'paths', 'components'];

const ajv = new Ajv2020({ strictTypes: false, strictRequired: false, allErrors: true });
ajv.addVocabulary(unknownWords);
formats.default(ajv);
ajv.addSchema(apiDocument, 'openapi.json');

const escapePointer = (part: string): string =>
  encodeURIComponent(part.replaceAll('~', '~0').replaceAll('/', '~1'));

/** Returns a validator for the schema at these keys of the document. */
export const findSchema = (...keys: readonly string[]): ValidateFunction => {
  const pointer = keys.map(escapePointer).join('/');
  const validate = ajv.getSchema(`openapi.json#/${pointer}`);
  if (!validate) throw new Error(`openapi.json has nothing at ${pointer}`);
  return validate;
};

/** Returns the schema of a reference, such as `#/components/schemas/Submission`. */
export const resolveReference = (reference: string): object => {
  const schema = apiDocument.components.schemas[reference.replace('#/components/schemas/', '')];
  if (!schema) throw new Error(`openapi.json has no ${reference}`);
  return schema;
};

/** Returns the errors of a validator. */
export const describeFaults = ({ errors }: ValidateFunction): string => ajv.errorsText(errors);

const toPattern = (path: string): RegExp =>
  new RegExp(`^${path.replace(/\{[^}]+\}/g, '[^/]+')}/?$`);

/** Every operation, with its location in the document. */
export const operations = Object.entries(apiDocument.paths).flatMap(([path, methods]) =>
  Object.entries(methods).map(([method, operation]) => ({
    method: method.toUpperCase(),
    path,
    pattern: toPattern(path),
    operation,
    keys: ['paths', path, method],
  })),
);

/** Returns the operation of a request, with its location in the document. */
export const findOperation = (method: string, path: string) =>
  operations.find((candidate) => candidate.method === method && candidate.pattern.test(path));

/** Each documented response: the operation, the status, and the code of a problem or a header of a success. */
export const listDocumented = (): string[] =>
  operations.flatMap(({ operation: { operationId, responses } }) =>
    Object.entries(responses).flatMap(([status, { headers = {}, content = { none: {} } }]) =>
      Object.values(content).flatMap(({ examples }) => {
        const answer = `${operationId} ${status}`;
        if (examples) return Object.keys(examples).map((code) => `${answer} ${code}`);
        return [answer, ...Object.keys(headers).map((name) => `${answer} ${name}`)];
      }),
    ),
  );
