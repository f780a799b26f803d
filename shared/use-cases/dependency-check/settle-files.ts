import type { ProjectFile } from './findings.ts';
import { forbidBuilds } from './forbid-builds.ts';
import { settleBuilds } from './settle-builds.ts';
import { settlePoms } from './settle-poms.ts';

/** Completes files from each other, so that warnings remain only for gaps that no file fills. */
export const settleFiles = (files: readonly ProjectFile[]): readonly ProjectFile[] =>
  settleBuilds(forbidBuilds(settlePoms(files)));
