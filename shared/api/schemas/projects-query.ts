import * as z from 'zod';
import { isProjectName } from '../../domain/projects/project-name.ts';
import { ecosystems } from '../../ecosystems/ecosystem.ts';
import { RefFilter } from './project-name.ts';
import { Limit } from './query.ts';
import { Identity } from './text.ts';
import { VersionSelection } from './version-query.ts';

const nextRule = 'must be `next` of the page before';
const nextDescription = 'Continues a list: `next` of the previous page.';

/** The cursor of any row is shorter: it has a name, a version, a project and a ref. */
const maxCursorLength = 1000;

/** Returns the schema of a cursor that begins with an ecosystem and `#`. */
const makeCursorSchema = () =>
  z
    .string()
    .transform((text) => text.replaceAll(' ', '+'))
    .pipe(
      z
        .string()
        .max(maxCursorLength, { error: nextRule })
        .refine((text) => ecosystems.some((one) => text.startsWith(`${one}#`)), {
          error: nextRule,
        })
        .refine((text) => /^[!-~]+$/.test(text), { error: nextRule }),
    )
    .optional()
    .describe(nextDescription);

/** Name of a project as a cursor. */
export const ProjectCursor = z
  .string({ error: nextRule })
  .refine(isProjectName, { error: nextRule })
  .describe(nextDescription);

/** Page of the list of projects. */
export const ProjectsQuery = z.strictObject({
  owner: Identity.optional().describe('Only projects with exactly this owner.'),
  after: ProjectCursor.optional(),
  limit: Limit,
});
export type ProjectsQuery = z.output<typeof ProjectsQuery>;

/** Page of the versions of one project. */
export const ProjectQuery = z.strictObject({
  ref: RefFilter.optional().describe(
    'The branch or tag. Default: `main` if the project has it, else the ref that was recorded last.',
  ),
  after: makeCursorSchema(),
  limit: Limit,
});
export type ProjectQuery = z.output<typeof ProjectQuery>;

/** Ref of a project to remove. */
export const ProjectRefQuery = z.strictObject({
  ref: RefFilter.describe('The branch or tag to remove, such as a merged branch.'),
});

/** Page of the projects that use a package. */
export const PackageProjectsQuery = VersionSelection.extend({
  after: makeCursorSchema(),
  limit: Limit,
});
export type PackageProjectsQuery = z.output<typeof PackageProjectsQuery>;

/** Page of the projects that use a version with a vulnerability. */
export const VulnerabilityProjectsQuery = z.strictObject({
  after: makeCursorSchema(),
  limit: Limit,
});
export type VulnerabilityProjectsQuery = z.output<typeof VulnerabilityProjectsQuery>;
