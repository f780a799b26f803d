/**
 * Replaces the shims of the SDK in the bundle. The original ones add a JSON Schema validator of 150 kB for forms, which this
 * server does not have; zod validates the input of its tools.
 */
export { default as process } from 'node:process';

export class DefaultJsonSchemaValidator {
  getValidator(): never {
    throw new Error('This server has no forms.');
  }
}
