/** Routes of projects, and of the package versions that they use. */
import type { Route } from '../route.ts';
import { NoQuery } from '../schemas/no-query.ts';
import { OwnerReplacement } from '../schemas/project.ts';
import { ProjectUsesRequest } from '../schemas/project-uses.ts';
import {
  PackageProjectsQuery,
  ProjectQuery,
  ProjectRefQuery,
  ProjectsQuery,
  VulnerabilityProjectsQuery,
} from '../schemas/projects-query.ts';
import { SnapshotRequest } from '../schemas/snapshot.ts';

export const recordSnapshot = {
  id: 'record-snapshot',
  method: 'POST',
  path: '/api/v1/projects/{project}/snapshots',
  summary: 'Record what a project uses',
  scope: 'submit',
  isRepeatable: true,
  access: {
    tokens: ['GetSecretValue'],
    projects: ['GetItem', 'Query', 'PutItem', 'UpdateItem', 'DeleteItem', 'BatchWriteItem'],
    settings: ['requireTokens'],
  },
  query: NoQuery,
  body: { schema: SnapshotRequest, optional: false, maxBytes: 4_194_304 },
  success: { status: 200, answer: 'Snapshot' },
  errors: ['recording_in_progress', 'too_many_projects', 'write_contention', 'outcome_unknown'],
} as const satisfies Route;

export const listProjects = {
  id: 'list-projects',
  method: 'GET',
  path: '/api/v1/projects',
  summary: 'List the projects that recorded what they use',
  scope: 'any',
  isRepeatable: true,
  access: { tokens: ['GetSecretValue'], projects: ['Query'], settings: ['requireTokens'] },
  query: ProjectsQuery,
  success: { status: 200, answer: 'ProjectPage', header: 'Link' },
  errors: [],
} as const satisfies Route;

export const showProject = {
  id: 'show-project',
  method: 'GET',
  path: '/api/v1/projects/{project}',
  summary: 'Show a project, and the package versions that it uses with their status now',
  scope: 'any',
  isRepeatable: true,
  access: {
    tokens: ['GetSecretValue'],
    projects: ['GetItem', 'Query'],
    reviews: ['BatchGetItem'],
    settings: ['requireTokens', 'ownPackages', 'scanFailedFrom', 'scanWarningFrom', 'scanUnrated'],
  },
  query: ProjectQuery,
  success: { status: 200, answer: 'ProjectDetail', header: 'Link' },
  errors: ['project_not_found'],
} as const satisfies Route;

export const removeProject = {
  id: 'remove-project',
  method: 'DELETE',
  path: '/api/v1/projects/{project}',
  summary: 'Remove a ref of a project, and the project with its last ref',
  scope: 'submit',
  access: {
    tokens: ['GetSecretValue'],
    projects: ['GetItem', 'Query', 'UpdateItem', 'DeleteItem', 'BatchWriteItem'],
    idempotency: ['PutItem', 'GetItem'],
    settings: ['requireTokens'],
  },
  query: ProjectRefQuery,
  success: { status: 200, answer: 'RemovedRef' },
  errors: ['project_not_found', 'recording_in_progress', 'write_contention', 'outcome_unknown'],
} as const satisfies Route;

export const listPackageProjects = {
  id: 'list-package-projects',
  method: 'GET',
  path: '/api/v1/packages/{name}/projects',
  summary: 'List the projects that use a package, or one version of it',
  scope: 'any',
  isRepeatable: true,
  access: {
    tokens: ['GetSecretValue'],
    projects: ['Query', 'BatchGetItem'],
    settings: ['requireTokens'],
  },
  query: PackageProjectsQuery,
  success: { status: 200, answer: 'PackageProjects', header: 'Link' },
  errors: [],
} as const satisfies Route;

export const listProjectUses = {
  id: 'list-project-uses',
  method: 'POST',
  path: '/api/v1/project-uses',
  summary: 'List the projects that use each of several package versions',
  scope: 'any',
  isRepeatable: true,
  access: {
    tokens: ['GetSecretValue'],
    projects: ['Query', 'BatchGetItem'],
    settings: ['requireTokens'],
  },
  query: NoQuery,
  body: { schema: ProjectUsesRequest, optional: false },
  success: { status: 200, answer: 'ProjectUses' },
  errors: [],
} as const satisfies Route;

export const listVulnerabilityProjects = {
  id: 'list-vulnerability-projects',
  method: 'GET',
  path: '/api/v1/vulnerabilities/{id}/projects',
  summary: 'List the projects that use a version with a vulnerability',
  scope: 'any',
  isRepeatable: true,
  access: {
    tokens: ['GetSecretValue'],
    reviews: ['GetItem', 'Query'],
    projects: ['Query', 'BatchGetItem'],
    settings: ['requireTokens'],
  },
  query: VulnerabilityProjectsQuery,
  success: { status: 200, answer: 'VulnerabilityProjects', header: 'Link' },
  errors: ['vulnerability_not_found'],
} as const satisfies Route;

export const replaceOwner = {
  id: 'replace-owner',
  method: 'POST',
  path: '/api/v1/project-owners',
  summary: 'Replace an owner of projects, for example by a pseudonym',
  scope: 'review',
  isRepeatable: true,
  access: {
    tokens: ['GetSecretValue'],
    projects: ['Query', 'UpdateItem'],
    settings: ['requireTokens'],
  },
  query: NoQuery,
  body: { schema: OwnerReplacement, optional: false },
  success: { status: 200, answer: 'ReplacedOwner' },
  errors: [],
} as const satisfies Route;
