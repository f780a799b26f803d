import * as z from 'zod';
import { registryStatuses } from '../../domain/changes/registry-status.ts';
import { Ecosystem } from './ecosystem.ts';

/** Maximum number of dependencies in an answer. */
export const maxListedDependencies = 200;

/** Maximum length of a name or a range in an answer, in characters. */
export const longestDependencyText = 500;

const ListedDependency = z
  .strictObject({
    name: z.string(),
    range: z.string().describe('The versions that it accepts, as the publisher wrote them.'),
    status: z
      .enum(registryStatuses)
      .describe(
        '`approved` if an approved version is in the range, `out_of_range` if all approved versions are outside, else the status of the newest submission. `unknown` if it was not looked up.',
      ),
    version: z
      .string()
      .nullable()
      .describe(
        'The version with this status: the highest approved one in the range (`approved`) or outside (`out_of_range`), or the newest submission, which may be outside the range. Null if there is none.',
      ),
  })
  .describe('A dependency of a version, with its status in the registry.');

/** Mandatory dependencies of a version. */
export const DependencyList = z
  .strictObject({
    ...{ ecosystem: Ecosystem, name: z.string(), version: z.string() },
    dependencies: z
      .array(ListedDependency)
      .max(maxListedDependencies)
      .nullable()
      .describe(
        `The first ${maxListedDependencies} dependencies. Null if the upstream metadata is not known.`,
      ),
    total: z.int().nonnegative().describe('Number of dependencies of the version.'),
    checked: z.int().nonnegative().describe('Number of dependencies with a known status.'),
  })
  .describe('The mandatory dependencies of a version, with their statuses in the registry.');
export type DependencyList = z.infer<typeof DependencyList>;
