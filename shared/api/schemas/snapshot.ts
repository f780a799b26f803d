import * as z from 'zod';
import { explainPackageName, isPackageName } from '../../domain/packages/package-name.ts';
import { explainPackageVersion, isPackageVersion } from '../../domain/packages/package-version.ts';
import { maxSnapshotVersions, maxVersionFiles } from '../../domain/projects/project-limits.ts';
import { Ecosystem } from './ecosystem.ts';
import { Timestamp, TokenLabel } from './package.ts';
import { Ref } from './project-name.ts';
import { Identity, line, optional } from './text.ts';

const maxCommitLength = 100;
const maxPathLength = 255;
const versionsRule = `must be a list of at most ${maxSnapshotVersions} package versions`;
const filesRule = `must be a list of at most ${maxVersionFiles} paths`;

/** Path of a dependency file in its project. */
export const FilePath = line(maxPathLength);

const RecordedVersion = z
  .strictObject({
    ecosystem: Ecosystem,
    name: z.string().describe('The package name, as in its ecosystem.'),
    version: z.string().describe('The version, as in its ecosystem.'),
    direct: optional(z.boolean()).describe(
      'True if the project requires it itself, false if only its dependencies do. Leave it out if the files do not show it.',
    ),
    files: optional(
      z.array(FilePath, { error: filesRule }).max(maxVersionFiles, { error: filesRule }),
    ).describe('Paths of the dependency files that list it.'),
  })
  .superRefine(({ ecosystem, name, version }, context) => {
    const addIssue = (field: 'name' | 'version', rule: string): void =>
      context.addIssue({ code: 'custom', path: [field], message: `must be ${rule}` });
    if (!isPackageName(ecosystem, name)) addIssue('name', explainPackageName(ecosystem));
    if (!isPackageVersion(ecosystem, version)) {
      addIssue('version', explainPackageVersion(ecosystem));
    }
  })
  .describe('A package version that the project uses.');

/** Request to record what a project uses. */
export const SnapshotRequest = z
  .strictObject({
    ref: Ref.describe('The branch or tag, such as `main`.'),
    commit: optional(line(maxCommitLength)).describe('The commit of the files.'),
    owner: optional(Identity).describe(
      'Who is responsible for the project: a team, or an e-mail address. An earlier owner stays unless given.',
    ),
    versions: z
      .array(RecordedVersion, { error: versionsRule })
      .max(maxSnapshotVersions, { error: versionsRule })
      .describe('All package versions that the project uses.'),
  })
  .describe('What a project uses at a commit of a branch or tag.');
export type SnapshotRequest = z.output<typeof SnapshotRequest>;

const recordedFields = {
  ref: z.string(),
  number: z.int().positive().describe('Number of the snapshot of this ref, from 1.'),
  versions: z.int().nonnegative().describe('Number of versions.'),
  direct: z
    .int()
    .nonnegative()
    .describe('Number of versions that the project certainly requires itself.'),
  commit: z.string().nullable(),
  recorded_at: Timestamp.describe('When it was recorded last, with or without a change.'),
  recorded_by: TokenLabel.describe('The label of the token. Null without a label.'),
  digest: z
    .string()
    .describe(
      'SHA-256 of the versions, as `sha256:HEX`. Owner, time and commit are no part of it.',
    ),
};

/** Ref of a project with its current snapshot. */
export const ProjectRef = z
  .strictObject(recordedFields)
  .describe('A branch or tag of a project, with its current snapshot.');
export type ProjectRef = z.infer<typeof ProjectRef>;

/** Answer to a recording. */
export const Snapshot = z
  .strictObject({
    project: z.string(),
    ...recordedFields,
    changed: z.boolean().describe('False if the snapshot is equal to the one before.'),
    added: z.int().nonnegative().describe('Number of versions that the one before did not have.'),
    removed: z.int().nonnegative().describe('Number of versions that only the one before had.'),
  })
  .describe('The current snapshot of a branch or tag.');
export type Snapshot = z.infer<typeof Snapshot>;
