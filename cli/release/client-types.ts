/** Writes `client.d.ts`: the types of the client, in one file that needs no other. */

import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { routesByName } from '../../shared/api/all-routes.ts';
import { makeOpenApiDocument } from '../../shared/api/openapi/document.ts';
import { type DocumentedOperation, writeOperation } from './operation-types.ts';
import { type Schema, writeNamedType, writeObjectType } from './schema-types.ts';

const project = join(import.meta.dirname, '..', '..');

/** As far as types follow from it. */
interface ApiDocument {
  readonly paths: Readonly<Record<string, Readonly<Record<string, DocumentedOperation>>>>;
  readonly components: { readonly schemas: Readonly<Record<string, Schema>> };
}

/** What the API takes and answers, and a function for each operation: by the document, for the schemas behind it need zod. */
const writeApiTypes = (): string => {
  const { paths, components } = makeOpenApiDocument() as unknown as ApiDocument;
  const schemas = Object.entries(components.schemas);
  const operations = Object.entries(routesByName).map(([name, route]) => {
    const documented = paths[route.path]?.[route.method.toLowerCase()];
    if (!documented) throw new Error(`${route.id} is not in the OpenAPI document`);
    return writeOperation(name, route, documented);
  });
  return [
    ...schemas.map(([name, schema]) => writeNamedType(name, schema)),
    '/** One function for each operation. They reject with a RequestError. */',
    `export interface RegistryClient ${writeObjectType(operations)}\n`,
  ].join('\n');
};

/** The files of the client that say all in their own words. */
const plainFiles = ['request-error', 'options', 'client'];

const emitDeclarations = (folder: string): void => {
  const compiler = join(project, 'node_modules', 'typescript', 'bin', 'tsc');
  const settings = join(project, 'shared', 'api', 'client', 'tsconfig.types.json');
  const args = [compiler, '--project', settings, '--outDir', folder];
  const { status, stdout } = spawnSync(process.execPath, args, { encoding: 'utf8' });
  if (status !== 0) throw new Error(`The client's types cannot be written: ${stdout}`);
};

/** In one file, nothing is imported from another. */
const dropImports = (declarations: string): string =>
  declarations.replace(/^(?:import .*|export (?:type )?\{.*)\n/gm, '');

const readPlainTypes = (): string => {
  const folder = mkdtempSync(join(tmpdir(), 'registry-types-'));
  try {
    emitDeclarations(folder);
    const files = plainFiles.map((name) => readFileSync(join(folder, `${name}.d.ts`), 'utf8'));
    return files.map(dropImports).join('\n');
  } finally {
    rmSync(folder, { recursive: true });
  }
};

/** Writes `client.d.ts` into the folder. */
export const writeClientTypes = (folder: string): void => {
  const text = [writeApiTypes(), readPlainTypes(), 'export {};\n'].join('\n');
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(folder, 'client.d.ts'), text);
};

if (import.meta.main) writeClientTypes(join(project, 'dist'));
