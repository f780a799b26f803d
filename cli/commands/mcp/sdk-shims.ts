/**
 * What the bundle has in place of the SDK's shims for Node.js: those bring along a validator of JSON Schema, 150 kB, for
 * what people type into forms of the server's. There are none here, and tools are checked by their own schemas.
 */
export { default as process } from 'node:process';

export class DefaultJsonSchemaValidator {
  getValidator(): never {
    throw new Error('This server asks nobody to fill in forms.');
  }
}
