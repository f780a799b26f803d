import { readFileSync } from 'node:fs';
import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js';
import formats from 'ajv-formats';

/** One answer of an operation, as the document describes it. */
export interface DocumentedAnswer {
  readonly headers?: Readonly<
    Record<string, { readonly required?: boolean; readonly schema: object }>
  >;
  readonly content: Readonly<Record<string, { readonly schema: object }>>;
}

interface DocumentedOperation {
  readonly operationId: string;
  readonly responses: Readonly<Record<string, DocumentedAnswer>>;
}

interface ApiDocument {
  readonly paths: Readonly<Record<string, Readonly<Record<string, DocumentedOperation>>>>;
}

/** The document of the API, as it is written. */
export const apiDocument: ApiDocument = JSON.parse(readFileSync('openapi.json', 'utf8'));

/** A word of OpenAPI that is no word of JSON Schema, and so means nothing to a validator. */
const unknownWords = ['openapi', 'info', 'servers', 'tags', 'paths', 'components'];

const ajv = new Ajv2020({
  strict: true,
  strictTypes: false,
  strictRequired: false,
  allErrors: true,
});
ajv.addVocabulary(unknownWords);
formats.default(ajv);
ajv.addSchema(apiDocument, 'openapi.json');

const escapePointer = (part: string): string =>
  encodeURIComponent(part.replaceAll('~', '~0').replaceAll('/', '~1'));

/** What is in the document at these keys, as a check of values. */
export const findSchema = (...keys: readonly string[]): ValidateFunction => {
  const pointer = keys.map(escapePointer).join('/');
  const validate = ajv.getSchema(`openapi.json#/${pointer}`);
  if (!validate) throw new Error(`openapi.json has nothing at ${pointer}`);
  return validate;
};

/** What a check found wrong. */
export const explainFaults = ({ errors }: ValidateFunction): string => ajv.errorsText(errors);
