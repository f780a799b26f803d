/**
 * Endpoints of the registry, one export each, in a file for each subject. Handlers, grants, the gateway, the OpenAPI
 * document, the client, commands and tests derive from them.
 *
 * A bundle contains the endpoints that its function names, and the schemas of their requests. esbuild drops an unused
 * constant only if it cannot have a side effect. So write paths and lists in full, without `...` and `${}`.
 */

export * from './routes/attestations.ts';
export * from './routes/checks.ts';
export * from './routes/decisions.ts';
export * from './routes/freeze.ts';
export * from './routes/licenses.ts';
export * from './routes/packages.ts';
export * from './routes/policy.ts';
export * from './routes/projects.ts';
export * from './routes/recalls.ts';
export * from './routes/reviews.ts';
export * from './routes/scans.ts';
export * from './routes/service.ts';
export * from './routes/submissions.ts';
export * from './routes/vulnerabilities.ts';
