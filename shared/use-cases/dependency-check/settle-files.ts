import type { ProjectFile } from './findings.ts';
import { forbidBuilds } from './forbid-builds.ts';
import { settleBuilds } from './settle-builds.ts';
import { settlePoms } from './settle-poms.ts';

/** Settles what files leave open by what the others say, so that only what none of them says is warned of. */
export const settleFiles = (files: readonly ProjectFile[]): readonly ProjectFile[] =>
  settleBuilds(forbidBuilds(settlePoms(files)));
