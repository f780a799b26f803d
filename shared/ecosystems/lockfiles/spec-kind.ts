import type { UnpinnedReason } from './dependency-file.ts';

const gitSpecs = [
  /^(?:git(?:\+[a-z]+)?:|git@|(?:github|gitlab|bitbucket|gist):|ssh:)/i,
  /^https?:[^#]*\.git(?:#|$)/i,
  // Archives of repositories, and Yarn's notation of a commit.
  /^https?:\/\/codeload\.|^https?:.*#commit=/i,
  /^https?:\/\/(?:www\.)?(?:github|gitlab|bitbucket)\.[a-z]+\/[^/]+\/[^/#]+(?:#|$)/i,
];
/** npm's short form for a repository at GitHub. */
const ownerAndRepository = /^[\w.-]+\/[\w.-]+(?:#.*)?$/;
const fileSpec =
  /^(?:file|link|portal|exec|workspace):|^(?:\.{1,2}|~)?\/|^\.{1,2}$|^[A-Za-z]:[\\/]/i;

/** Returns the kind of a dependency specifier: Git repository, URL or file. Undefined for a version range. */
export const judgeSpec = (spec: string): UnpinnedReason | undefined => {
  if (gitSpecs.some((pattern) => pattern.test(spec))) return 'git';
  if (/^https?:/i.test(spec)) return 'url';
  if (fileSpec.test(spec)) return 'file';
  return ownerAndRepository.test(spec) ? 'git' : undefined;
};
