import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { Plugin } from 'esbuild';
import { type Route, routes } from '../../shared/api/routes.ts';

const root = join(import.meta.dirname, '../..');

/** The module and the name of an exported schema. */
interface Place {
  readonly path: string;
  readonly name: string;
}

const findSchemas = async (): Promise<ReadonlyMap<unknown, Place>> => {
  const places = new Map<unknown, Place>();
  for (const path of globSync(join(root, 'shared/api/schemas/*.ts'))) {
    const exports: object = await import(pathToFileURL(path).href);
    for (const [name, value] of Object.entries(exports)) places.set(value, { path, name });
  }
  return places;
};

/** Returns the code of a route, without its grants and the schema of its response, which functions do not need. */
const writeRow = (row: Route, refer: (schema: unknown) => string): string => {
  const {
    access: _access,
    summary: _summary,
    errors: _errors,
    query,
    body,
    success,
    ...rest
  } = row;
  const plain = { ...rest, success: { ...success, schema: undefined } };
  const withBody = body
    ? `, body: { ...${JSON.stringify({ ...body, schema: undefined })}, schema: ${refer(body.schema)} }`
    : '';
  return `{ ...${JSON.stringify(plain)}, query: ${refer(query)}${withBody} }`;
};

const writeRows = (rows: readonly [string, Route][], places: ReadonlyMap<unknown, Place>) => {
  const imports: string[] = [];
  const refer = (schema: unknown): string => {
    const place = places.get(schema);
    if (!place)
      throw new Error('A schema of shared/api/routes.ts is no export of shared/api/schemas');
    const local = `schema${imports.length}`;
    imports.push(`import { ${place.name} as ${local} } from ${JSON.stringify(place.path)};`);
    return local;
  };
  const table = rows.map(([name, row]) => `${name}: ${writeRow(row, refer)}`);
  return `${imports.join('\n')}\nexport const routes = {\n${table.join(',\n')}\n};\n`;
};

/**
 * Bundles only those routes into a function that its file names, with the schemas of their requests. With all routes, each
 * cold start would create the schemas of every request and response.
 */
export const ownRoutes: Plugin = {
  name: 'own-routes',
  setup: (build) => {
    const schemas = findSchemas();
    build.onResolve({ filter: /(?:^|\/)shared\/api\/routes\.ts$/ }, ({ importer }) => ({
      path: importer,
      namespace: 'own-routes',
    }));
    build.onLoad({ filter: /^/, namespace: 'own-routes' }, async ({ path }) => {
      const code = readFileSync(path, 'utf8');
      const named = Object.entries<Route>(routes).filter(([name]) =>
        new RegExp(`\\b${name}\\b`).test(code),
      );
      return { contents: writeRows(named, await schemas), loader: 'js', resolveDir: root };
    });
  },
};
