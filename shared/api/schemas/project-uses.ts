import * as z from 'zod';
import { maxAskedVersions } from '../../domain/projects/project-limits.ts';
import { Ecosystem } from './ecosystem.ts';
import { owner } from './project.ts';

const listRule = `must be a list of 1 to ${maxAskedVersions}`;

const version = {
  ecosystem: Ecosystem,
  name: z.string().describe('The package name, as in its ecosystem.'),
  version: z.string().describe('The version, in any spelling that is equal in its ecosystem.'),
};

/** Request for the projects that use package versions. */
export const ProjectUsesRequest = z
  .strictObject({
    packages: z
      .array(z.strictObject(version), { error: listRule })
      .min(1, { error: listRule })
      .max(maxAskedVersions, { error: listRule }),
  })
  .describe(`1 to ${maxAskedVersions} package versions. The registry need not have them.`);
export type ProjectUsesRequest = z.output<typeof ProjectUsesRequest>;

/** Projects that use one package version. */
export const VersionUses = z
  .strictObject({
    ...version,
    projects: z
      .int()
      .nonnegative()
      .describe('Number of projects, among the first 100 uses of the version.'),
    projects_at_least: z
      .boolean()
      .describe('True if `projects` is a lower bound: the version has 100 uses or more.'),
    used_by: z
      .array(z.strictObject({ project: z.string(), owner }))
      .describe('The first five projects by name, with their owners.'),
  })
  .describe('The number of projects that use a package version, and the first of them.');
export type VersionUses = z.infer<typeof VersionUses>;

export const ProjectUses = z
  .strictObject({ packages: z.array(VersionUses) })
  .describe('The projects that use each package version, in the order of the request.');
export type ProjectUses = z.infer<typeof ProjectUses>;
