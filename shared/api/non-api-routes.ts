import { awaitedSettings } from './approval-settings.ts';
import type { Access, OptionalAccess } from './resources.ts';

/**
 * Route outside the API, for browsers and package managers. The client, the command line and the OpenAPI document do
 * not contain it. Its ID names its handler's file and construct. It accepts GET and HEAD, needs no token, and ignores
 * query parameters.
 */
export interface Page {
  readonly id: string;
  /** Path after the registry's base URL. A last segment `{path+}` matches one or more segments. */
  readonly path: string;
  readonly summary: string;
  readonly access: Access;
  readonly accessWith?: OptionalAccess;
  /** Media type of its responses. */
  readonly contentType: string;
}

/** Settings of the gate, besides the URL of an origin. */
const gateSettings = [
  'gateOrigins',
  'ownPackages',
  'gateCacheSeconds',
  'gateRequests',
  ...awaitedSettings,
] as const;

/** Reads of versions by the gate: the files of one, or all that changed after the pack of a package was written. */
const gateReads = [
  'GetItem',
  'BatchGetItem',
  'QueryIndex:by-ecosystem',
  'QueryIndex:by-ecosystem-and-status',
] as const;

/** Access with which the gate submits what an install asks for: tokens of callers, and the queue. */
const gateAccess = {
  gateRequests: {
    tokens: ['GetSecretValue'],
    queues: ['submissions'],
    settings: ['requireTokens'],
  },
} as const satisfies OptionalAccess;

/** Routes outside the API, by name. */
export const pages = {
  showOpenapi: {
    id: 'show-openapi',
    path: '/openapi.json',
    summary: 'The document of the API for programs (OpenAPI 3.1)',
    access: {},
    contentType: 'application/json',
  },
  showDocs: {
    id: 'show-docs',
    path: '/docs',
    summary: 'The reference of the API, where each call can be tried',
    access: {},
    contentType: 'text/html; charset=utf-8',
  },
  showConsole: {
    id: 'show-console',
    path: '/console',
    summary: 'Where people review what was submitted',
    access: { settings: ['oidcOrigins'] },
    contentType: 'text/html; charset=utf-8',
  },
  showConsoleFile: {
    id: 'show-console-file',
    path: '/console/{path+}',
    summary: 'The program and the style of the console',
    access: {},
    contentType: 'text/javascript; charset=utf-8',
  },
  showCommandLine: {
    id: 'show-command-line',
    path: '/registry.mjs',
    summary: 'The command line, as one file for Node.js',
    access: {},
    contentType: 'text/javascript; charset=utf-8',
  },
  serveNpm: {
    id: 'serve-npm',
    path: '/npm/{path+}',
    summary: "npm's protocol, for approved versions alone",
    access: {
      packages: gateReads,
      reviews: ['GetItem', 'BatchGetItem', 'Query'],
      settings: ['npmUrl', ...gateSettings],
    },
    accessWith: gateAccess,
    contentType: 'application/json',
  },
  servePypi: {
    id: 'serve-pypi',
    path: '/pypi/{path+}',
    summary: "pip's protocol, for approved versions alone",
    access: {
      packages: gateReads,
      reviews: ['GetItem', 'BatchGetItem', 'Query'],
      settings: ['pypiUrl', ...gateSettings],
    },
    accessWith: gateAccess,
    contentType: 'application/vnd.pypi.simple.v1+json',
  },
  serveMaven: {
    id: 'serve-maven',
    path: '/maven/{path+}',
    summary: "Maven's repository layout, for approved versions alone",
    access: {
      packages: gateReads,
      reviews: ['GetItem', 'BatchGetItem', 'Query'],
      settings: ['mavenUrl', ...gateSettings, 'gateMavenPlugins'],
    },
    accessWith: gateAccess,
    contentType: 'application/xml',
  },
} as const satisfies Record<string, Page>;

/** Routes outside the API, as a list. */
export const allPages: readonly Page[] = Object.values(pages);
