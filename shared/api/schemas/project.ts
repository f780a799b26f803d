import * as z from 'zod';
import { attentionReasons } from '../../domain/review/attention.ts';
import { checkStatuses } from './check.ts';
import { Ecosystem } from './ecosystem.ts';
import { Timestamp } from './package.ts';
import { ProjectCursor } from './projects-query.ts';
import { ProjectRef } from './snapshot.ts';
import { Identity, optional } from './text.ts';

const next = z
  .string()
  .nullable()
  .describe('Cursor: send it as `after` to get the next page. Null on the last page.');

/** Owner of a project. */
export const owner = z
  .string()
  .nullable()
  .describe('Who is responsible for the project, if it is known.');
const direct = z
  .boolean()
  .nullable()
  .describe(
    'True if the project requires the version itself, false if only its dependencies do, null if its files do not show it.',
  );
const lastRecordedAt = Timestamp.describe('When the project was recorded last.');

/** Project in a list. */
export const Project = z
  .strictObject({
    project: z.string(),
    owner,
    refs: z.int().positive().describe('Number of recorded branches and tags.'),
    recorded_at: lastRecordedAt,
  })
  .describe('A project that recorded what it uses.');
export type Project = z.infer<typeof Project>;

export const ProjectPage = z
  .strictObject({ projects: z.array(Project), next })
  .describe('Projects by name. A page with an `owner` may be empty although another one follows.');
export type ProjectPage = z.infer<typeof ProjectPage>;

const ProjectVersion = z
  .strictObject({
    ecosystem: Ecosystem,
    name: z.string(),
    version: z.string(),
    direct,
    files: z.array(z.string()).describe('Dependency files of the project that list it.'),
    status: z
      .enum(checkStatuses)
      .describe('The status now. `unknown` means that the version is not in the registry.'),
    attention: z
      .array(z.enum(attentionReasons))
      .describe('Why the version needs attention now, such as `recalled`. Empty if it needs none.'),
    own_package: z
      .boolean()
      .describe("True for one of the organisation's own packages, which need no review."),
  })
  .describe('A package version that a project uses, with its status now.');

export const ProjectDetail = z
  .strictObject({
    project: z.string(),
    owner,
    recorded_at: lastRecordedAt,
    refs: z.array(ProjectRef).describe('All recorded branches and tags.'),
    ref: z.string().describe('The branch or tag that uses the versions below.'),
    versions: z.array(ProjectVersion).describe('By ecosystem, name and version.'),
    next,
  })
  .describe('A project, and one page of the package versions that it uses.');
export type ProjectDetail = z.infer<typeof ProjectDetail>;

export const ProjectUse = z
  .strictObject({
    ecosystem: Ecosystem,
    name: z.string(),
    version: z.string(),
    project: z.string(),
    ref: z.string(),
    direct,
    owner,
    recorded_at: lastRecordedAt,
  })
  .describe('A project that uses a package version on a branch or tag.');
export type ProjectUse = z.infer<typeof ProjectUse>;

const projectCounts = {
  projects: z
    .int()
    .nonnegative()
    .describe('Number of projects, among the first 1,000 uses of all packages.'),
  projects_at_least: z
    .boolean()
    .describe(
      'True if there may be more: the packages have more than 1,000 uses, or more than 50 Maven packages have the artifact ID.',
    ),
};

export const PackageProjects = z
  .strictObject({ ...projectCounts, uses: z.array(ProjectUse), next })
  .describe('One page of the projects that use a package, by version, project and ref.');
export type PackageProjects = z.infer<typeof PackageProjects>;

export const VulnerabilityProjects = z
  .strictObject({ id: z.string(), uses: z.array(ProjectUse), next })
  .describe(
    'One page of the projects that use a version with a vulnerability, in the order of the versions. A page may be empty although another one follows.',
  );
export type VulnerabilityProjects = z.infer<typeof VulnerabilityProjects>;

export const RemovedRef = z
  .strictObject({
    project: z.string(),
    ref: z.string(),
    project_removed: z.boolean().describe('True if it was the last ref of the project.'),
  })
  .describe('A branch or tag that was removed from a project.');
export type RemovedRef = z.infer<typeof RemovedRef>;

/** Request to replace an owner of projects. */
export const OwnerReplacement = z
  .strictObject({
    owner: Identity.describe('The owner to replace, exactly as stored.'),
    replacement: Identity.nullable().describe('The new owner, such as a pseudonym; null for none.'),
    after: optional(ProjectCursor),
  })
  .describe('Replaces an owner in the next 500 projects.');
export type OwnerReplacement = z.output<typeof OwnerReplacement>;

export const ReplacedOwner = z
  .strictObject({
    replaced: z.int().nonnegative().describe('Number of projects whose owner was replaced.'),
    next: z
      .string()
      .nullable()
      .describe('Cursor: send it as `after` to continue. Null if all projects are done.'),
  })
  .describe('Projects whose owner was replaced.');
export type ReplacedOwner = z.infer<typeof ReplacedOwner>;
